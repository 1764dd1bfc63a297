"""Ways to show a report: one module a renderer, see phiscan.protocols.Renderer."""
