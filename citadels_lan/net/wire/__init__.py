"""The wire: frames, messages, TLS connections, and the reasons why a request is rejected."""
