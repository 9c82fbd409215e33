"""Live events for clients, over a WebSocket."""
