const DEADLOCK_CODES = new Set(['40P01', '40001'])

/** PostgreSQL ends one of two transactions that wait for each other; it may try again. */
export async function retryDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = (error as { code?: unknown }).code
      if (attempt >= 4 || typeof code !== 'string' || !DEADLOCK_CODES.has(code)) throw error
    }
  }
}
