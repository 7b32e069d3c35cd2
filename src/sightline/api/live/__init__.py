"""The live feed over WebSocket, Server-Sent Events and long polling."""
