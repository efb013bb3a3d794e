/** Where a step stands: its group, and its place in that group. */
export interface StepPlace {
  groupIndex: number
  position: number
}

/** Whether `a` comes before `b`: an earlier group, or earlier within its group. */
export function isBefore(a: StepPlace, b: StepPlace): boolean {
  return a.groupIndex < b.groupIndex || (a.groupIndex === b.groupIndex && a.position < b.position)
}
