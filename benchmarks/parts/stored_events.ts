import type { Stand } from '../stand.js'

const STORED = {
  service: `select count(*) from events where type = 'checklistItem.statusChanged'`,
  fair: 'select count(*) from bench_events',
}

type Counts = Record<keyof typeof STORED, number>

/**
 * Runs a measurement of changes. `answered` counts the answered changes.
 * @throws unless each of them stored one event: requests that change nothing are not comparable
 */
export async function demandingEvents<Result>(
  stand: Stand,
  answered: () => Counts,
  work: () => Promise<Result>
): Promise<Result> {
  const stored = async (): Promise<Counts> => ({
    service: await stand.count(STORED.service),
    fair: await stand.count(STORED.fair),
  })
  const before = await stored()
  const result = await work()
  const after = await stored()
  for (const name of ['service', 'fair'] as const) {
    const events = after[name] - before[name]
    const changes = answered()[name]
    if (events !== changes) {
      throw new Error(`The ${name} stored ${events} events for ${changes} answered changes`)
    }
  }
  return result
}
