// Icons, drawn in the text color and hidden from screen readers: a text is always beside them.

const PATHS = {
  overview: "M3 12h4l3 8 4-16 3 8h4",
  home: "M3 11.500 12 4l9 7.500M6 9.500V20h5v-6h2v6h5V9.500",
  operate: "M4 19V9M10 19V5M16 19v-7M21 19H3",
  menu: "M4 6h16M4 12h10M4 18h13",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4ZM10 20.500h4",
  people:
    "M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM3 19c0-3.500 2.500-5 6-5s6 1.500 6 5M16 6a3 3 0 0 1 0 5M18 14.500c2 .6 3 2 3 4.500",
  key: "M8 9a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM11.500 11.500 20 4M16 7.500l3 3M18.500 5.200l2 2",
  phone: "M7 3h10v18H7ZM11 18h2",
  video: "M4 5h11a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM16 10l5-3v10l-5-3",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM16.500 16.500 21 21",
  event: "M12 3 4 6v6c0 5 3.500 8 8 9 4.500-1 8-4 8-9V6ZM12 8v5M12 16.200v.1",
  job: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  message: "M4 5h16v11H9l-5 4Z",
  upload: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
  download: "M12 4v12M7 11l5 5 5-5M4 16v4h16v-4",
  play: "M7 4v16l13-8Z",
  sound: "M4 9v6h4l5 4V5L8 9ZM17 9a4 4 0 0 1 0 6",
  mute: "M4 9v6h4l5 4V5L8 9ZM17 9.500l5 5M22 9.500l-5 5",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  captions: "M3 6h18v12H3ZM7 11h4M7 14h7M13 11h4M16 14h1",
  pause: "M8 5v14M16 5v14",
  retry: "M4 12a8 8 0 1 1 2.500 5.800M4 18v-5h5",
  cross: "M5 5l14 14M19 5 5 19",
  camera: "M3 8h4l2-3h6l2 3h4v11H3ZM12 10a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7Z",
  check: "M4 12.500l5 5L20 6.500",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  cut: "M6 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM6 14a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8.500 8.500 20 18M8.500 15.500 20 6",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  help: "M9 9a3 3 0 1 1 4 2.800c-.700.300-1 .9-1 1.700v.5M12 17.500v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M19 5l-1 1M6 18l-1 1",
  moon: "M20 14A8.500 8.500 0 0 1 10 4a8.500 8.500 0 1 0 10 10Z",
  add: "M12 5v14M5 12h14",
  pencil: "M4 20l1-4L16 5l3 3L8 19ZM14 7l3 3",
  live: "M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM7.500 7.500a6.400 6.400 0 0 0 0 9M16.500 7.500a6.400 6.400 0 0 1 0 9M4.600 4.600a10.500 10.500 0 0 0 0 14.800M19.400 4.600a10.500 10.500 0 0 1 0 14.800",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  alarm: "M12 3 2 20h20ZM12 10v4M12 17v.1",
  stop: "M8 3h8l5 5v8l-5 5H8l-5-5V8ZM12 7.500v5M12 16.200v.1",
  mail: "M3 6h18v12H3ZM3 7l9 7 9-7",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 7v5l3 2",
  frame: "M4 4h16v16H4ZM4 15l5-5 4 4 3-3 4 4",
  more: "M5 12v.1M12 12v.1M19 12v.1",
  copy: "M8 8h12v12H8ZM16 8V4H4v12h4",
  collection: "M4 8h16v12H4ZM6 5h12M8 2h8",
  tag: "M4 4h8l8 8-8 8-8-8ZM8.500 8.500v.1",
  restore: "M4 12a8 8 0 1 0 2.500-5.800M4 4v5h5M12 8v4l3 2",
  chapters: "M4 6h.1M4 12h.1M4 18h.1M8 6h12M8 12h12M8 18h12",
  loop: "M17 2l4 4-4 4M21 6H8a5 5 0 0 0-5 5M7 22l-4-4 4-4M3 18h13a5 5 0 0 0 5-5",
  picture: "M3 5h18v14H3ZM12 12h7v5h-7Z",
  theatre: "M2 6h20v12H2ZM2 15h20",
  settings:
    "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM19 12l2-1-2-4-2 .5-2-1.500L14.500 4h-5L9 6 7 7.500 5 7l-2 4 2 1-2 1 2 4 2-.5L9 18l.5 2h5l.5-2 2-1.500 2 .5 2-4Z",
  grid: "M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h6v6h-6Z",
  list: "M4 6h16M4 12h16M4 18h16",
  back: "M19 12H5M11 6l-6 6 6 6",
  next: "M5 12h14M13 6l6 6-6 6",
  info: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 11v6M12 7.500v.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
