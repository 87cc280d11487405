"""A headless browser, controlled by the Chrome DevTools protocol over a websocket."""

import asyncio
import contextlib
import itertools
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)
PATIENCE = 60.0
"""Seconds until a wait fails."""


class Tab:
    """A page of the browser. `send` sends a command of the DevTools protocol to it."""

    def __init__(self, browser: "Browser", session: str, target: str, context: str) -> None:
        self._browser = browser
        self.session = session
        self.target = target
        self.context = context

    async def send(self, method: str, **values: Any) -> dict[str, Any]:
        return await self._browser.send(method, self.session, **values)

    async def run(self, script: str) -> Any:
        """Return the value of a JavaScript expression, which can use the names of the page's scripts."""
        done = await self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, replMode=True
        )
        assert "exceptionDetails" not in done, (script, done["exceptionDetails"])
        return done["result"].get("value")

    async def until(self, script: str, fits: Callable[[Any], object] = bool) -> Any:
        """Wait until `fits` is true for the value of a JavaScript expression, and return the value."""
        found = None
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    with contextlib.suppress(AssertionError):
                        if fits(found := await self.run(script)):
                            return found
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"{script} stays {found!r}") from None

    async def go(self, url: str) -> None:
        await self.send("Page.navigate", url=url)
        await self.until("document.readyState === 'complete' && document.title !== ''")

    async def reload(self) -> None:
        await self.send("Page.reload")

    async def type(self, text: str) -> None:
        await self.send("Input.insertText", text=text)

    async def press(self, key: str, code: int, text: str = "") -> None:
        """Press a key by its name and key code, such as Enter (13)."""
        for kind in ("keyDown", "keyUp"):
            await self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, code=key,
                **({"text": text} if text and kind == "keyDown" else {}),
            )  # fmt: skip

    async def tap(self, selector: str, times: int = 1, hold: str = "") -> None:
        """Touch the first element that matches `selector`, `times` times in quick succession. Each touch
        lasts until the JavaScript expression `hold` is true."""
        place = f"document.querySelector({selector!r}).getBoundingClientRect()"
        await self.until(f"document.querySelector({selector!r}) !== null && {place}.height > 0")
        await self.run(f"document.querySelector({selector!r}).scrollIntoView()")
        x, y = await self.run(f"[{place}.x + {place}.width / 2, {place}.y + {place}.height / 2]")
        for _ in range(times):
            await self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            if hold:
                await self.until(hold)
            await self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def size(self, width: int, height: int, *, mobile: bool = False) -> None:
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile
        )

    async def prefer(self, colours: str) -> None:
        """Prefer a light or a dark theme."""
        await self.send(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}]
        )

    async def speak(self, language: str) -> None:
        await self.send("Network.setUserAgentOverride", userAgent="", acceptLanguage=language)

    async def close(self) -> None:
        await self._browser.send("Target.closeTarget", targetId=self.target)


class Browser:
    """A running browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def listen(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            waiting = self._waiting.pop(said.get("id", 0), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(said)

    async def send(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        asked = {"id": number, "method": method, "params": values} | ({"sessionId": session} if session else {})
        await self._socket.send_str(json.dumps(asked))
        async with asyncio.timeout(PATIENCE):
            said = await self._waiting[number]
        assert "error" not in said, (method, said["error"])
        result: dict[str, Any] = said["result"]
        return result

    async def person(self) -> str:
        """Create a browser profile with its own cookies, and return its id."""
        made = await self.send("Target.createBrowserContext")
        return str(made["browserContextId"])

    async def tab(self, context: str = "") -> Tab:
        """Open an empty page in the profile `context`; "" makes a new profile."""
        context = context or await self.person()
        made = await self.send("Target.createTarget", url="about:blank", browserContextId=context)
        attached = await self.send("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        return Tab(self, attached["sessionId"], made["targetId"], context)


@contextlib.asynccontextmanager
async def browser(home: Path) -> AsyncIterator[Browser]:
    """Yield a running browser, which ends with the context."""
    assert BROWSER is not None
    process = await asyncio.create_subprocess_exec(
        BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
         f"--user-data-dir={home}", "--no-first-run", "about:blank",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE):
            port, path = await _where(home / "DevToolsActivePort")
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"ws://127.0.0.1:{port}{path}", max_msg_size=0) as socket,
        ):
            one = Browser(socket)
            listening = asyncio.get_running_loop().create_task(one.listen())  # kept: cancelled below
            try:
                yield one
            finally:
                with contextlib.suppress(Exception):
                    await one.send("Browser.close")
                listening.cancel()
    finally:
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _where(written: Path) -> tuple[str, str]:
    """Return the port and the path that a browser writes to a file as soon as it listens."""
    while True:
        with contextlib.suppress(OSError):
            match (await asyncio.to_thread(written.read_text)).splitlines():
                case [port, path]:
                    return port, path
        await asyncio.sleep(0.05)
