"""The MCP server: assistants search videos, read what was shown and said, and open moments. It uses the client library alone."""

from sightline.mcp.changing_tools import ChangingTools
from sightline.mcp.reading_tools import ReadingTools
from sightline.mcp.server import McpServer
from sightline.mcp.stdio import serve_stdio

__all__ = ["ChangingTools", "McpServer", "ReadingTools", "serve_stdio"]
