"""What can be read in a PDF."""

from pathlib import Path


def text_on_paper(document: Path | bytes) -> str:
    """The text of all pages and of what names the document, each stretch of white space as one blank.

    Marks at which a line may break are no part of it.
    """
    import io

    from pypdf import PdfReader

    read = PdfReader(io.BytesIO(document) if isinstance(document, bytes) else document)
    texts = [page.extract_text() for page in read.pages]
    return " ".join(
        " ".join([*map(str, (read.metadata or {}).values()), *texts]).replace("\u200b", "").split()
    )
