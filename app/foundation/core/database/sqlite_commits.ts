let commits = 0

/** Counts what this process commits on SQLite, so that its own readers notice at once. */
export function committed(): void {
  commits += 1
}

export function commitsOfThisProcess(): number {
  return commits
}
