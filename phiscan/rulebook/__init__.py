"""Reading rules/: rule files with their examples, check digits, word lists."""
