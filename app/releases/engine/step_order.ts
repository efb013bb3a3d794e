/** The position of a step: its group, and its index in that group. */
export interface StepPlace {
  groupIndex: number
  position: number
}

/** Returns whether `a` comes before `b`: an earlier group, or earlier in the same group. */
export function isBefore(a: StepPlace, b: StepPlace): boolean {
  return a.groupIndex < b.groupIndex || (a.groupIndex === b.groupIndex && a.position < b.position)
}
