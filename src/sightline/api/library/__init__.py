"""The library of videos: the trash, collections, and the pictures that videos are hovered by."""
