"""Questions in other words than the videos use, with the text that answers them: the half that the search was tuned with."""

QUESTIONS: tuple[tuple[str, str, str], ...] = (
    ("how do I reset my password", "onboarding.mp4", "Choose Forgot credentials"),
    ("how many days off do employees get", "onboarding.mp4", "Vacation: thirty days a year"),
    ("getting money back for business trips", "onboarding.mp4", "Travel costs are refunded"),
    ("when can I have lunch", "onboarding.mp4", "The canteen is open"),
    ("sales went up", "quarter.mp4", "Revenue grew by eleven"),
    ("why do clients not leave us", "quarter.mp4", "People stay because"),
    ("loss caused by water in the warehouse", "quarter.mp4", "We had to write off"),
    ("how long does the bread stay in the oven", "cooking.mp4", "Bake for forty minutes"),
    ("how can I tell that the bread is ready", "cooking.mp4", "If it sounds hollow"),
    ("protect plants from snails", "garden.mp4", "Slugs: lay boards"),
    ("which flowers attract insects", "garden.mp4", "Bees love lavender"),
    ("best time to water", "garden.mp4", "Water early in the day"),
    ("where is the puncture", "bicycle.mp4", "Find the hole"),
    ("how to prevent theft of my bike", "bicycle.mp4", "Lock frame and front wheel"),
    ("slippery roads", "weather.mp4", "Drivers should allow for black ice"),
    ("trouble for people with hay fever", "weather.mp4", "Pollen count"),
    ("how many buildings burned down in London", "history.mp4", "Thirteen thousand houses"),
    ("what to do when someone's heart stops", "first_aid.mp4", "If someone does not breathe"),
    ("treating a scald", "first_aid.mp4", "Hold a burn under"),
    ("factory reset of the device", "camera.mp4", "To start afresh"),
)
