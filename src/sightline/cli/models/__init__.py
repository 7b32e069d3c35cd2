"""Commands that show and install models: languages of text, object detection, speech, meaning."""
