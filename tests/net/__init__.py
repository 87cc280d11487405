"""Tests of the network: scripts without sockets, whole games over loopback, discovery in separate network
namespaces."""
