/** SQLSTATEs of a deadlock and of a serialization failure. */
const CONFLICTS = new Set(['40P01', '40001'])

/** Retries a transaction that PostgreSQL has ended because of a deadlock or a conflict. */
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
