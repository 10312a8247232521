/** `2026-11-14T19:45:00.000Z` as a person reads it: minutes, UTC said. Anything else stays as it is. */
export function shortTime(iso: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/.exec(iso)
  return match === null ? iso : `${match[1]} ${match[2]} UTC`
}
