const CONFLICTS = new Set(['40P01', '40001'])

/** PostgreSQL ends one of two transactions that wait for each other; it may try again. */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (attempt >= 4 || typeof code !== 'string' || !CONFLICTS.has(code)) throw error
    }
  }
}
