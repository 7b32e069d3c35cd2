"""Watched folders: files that cameras upload, each looked at once."""

from sightline.cameras.folder.files_store import forget_files, old_files, record_file, unhandled_files
from sightline.cameras.folder.folder import Folder, FolderFile
from sightline.cameras.folder.location import folder_of, read_folder
from sightline.cameras.folder.opened_file import OpenedFile, UnreadableFile, open_file

__all__ = [
    "Folder",
    "FolderFile",
    "OpenedFile",
    "UnreadableFile",
    "folder_of",
    "forget_files",
    "old_files",
    "open_file",
    "read_folder",
    "record_file",
    "unhandled_files",
]
