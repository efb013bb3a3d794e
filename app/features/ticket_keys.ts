/**
 * Returns the project of a ticket by its key, in the app's spelling; the first project if the key
 * names none.
 */
export function projectOf(key: string, projects: readonly string[]): string {
  const end = endOfProject(key)
  if (end <= 0) return projects[0] ?? ''
  const named = key.slice(0, end)
  return projects.find((each) => each.toUpperCase() === named.toUpperCase()) ?? named
}

/**
 * Returns whether a ticket was moved out of the projects. A project that gets another key keeps the
 * numbers of its tickets; a ticket that moves gets the next one of its new project.
 * @param former other keys of the ticket
 */
export function isMovedOut(
  key: string,
  former: readonly string[],
  projects: readonly string[]
): boolean {
  const isOurs = (each: string) => projects.includes(projectOf(each, projects))
  const numberOf = (each: string) => each.slice(Math.max(0, endOfProject(each)))
  const ours = former.filter(isOurs)
  if (ours.length === 0 || isOurs(key)) return false
  return ours.every((each) => numberOf(each) !== numberOf(key))
}

/** Returns where the project ends: before the dash of `SHOP-1`, or the sign of `acme/my-app#1`. */
const endOfProject = (key: string) => {
  const sign = key.lastIndexOf('#')
  return sign >= 0 ? sign : key.lastIndexOf('-')
}

/**
 * Spells the project of a key like the app, so that trackers recognize a key that is not known yet.
 */
export function spelledKey(key: string, projects: readonly string[]): string {
  const end = endOfProject(key)
  return end <= 0 ? key : `${projectOf(key, projects)}${key.slice(end)}`
}
