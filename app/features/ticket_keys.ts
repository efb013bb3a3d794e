/** The project of a ticket by its key, as the app spells it; where keys name none there is one. */
export function projectOf(key: string, projects: readonly string[]): string {
  const dash = key.lastIndexOf('-')
  if (dash <= 0) return projects[0] ?? ''
  const named = key.slice(0, dash)
  return projects.find((each) => each.toUpperCase() === named.toUpperCase()) ?? named
}

/** A key that was never seen as its tracker spells it, as far as its project tells. */
export function spelledKey(key: string, projects: readonly string[]): string {
  const dash = key.lastIndexOf('-')
  return dash <= 0 ? key : `${projectOf(key, projects)}${key.slice(dash)}`
}
