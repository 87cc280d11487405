# For a tap. `brew update-python-resources` adds the dependencies where homebrew-core wants them listed.
class CitadelsLan < Formula
  desc "Card game Citadels for friends on one network, each in a terminal"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@version@/citadels_lan-@version@.tar.gz"
  sha256 "@sha256@"
  license "MIT"

  depends_on "python@3.13"

  def install
    system Formula["python@3.13"].opt_bin/"python3.13", "-m", "venv", libexec
    system libexec/"bin/pip", "install", "--no-cache-dir", buildpath
    bin.install_symlink libexec/"bin/citadels-lan"
    man6.install_symlink libexec/"share/man/man6/citadels-lan.6"
    generate_completions_from_executable(bin/"citadels-lan", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/citadels-lan --version")
    system bin/"citadels-lan", "simulate", "--games", "2"
  end
end
