import { test } from '@japa/runner'

/** Returns the observed and the expected answer, by the name of the fact. */
export type Facts = Record<string, () => Promise<[found: unknown, fact: unknown]>>

/** Compares each known fact about a store with the answers of the simulated one. */
export function testFacts(store: string, facts: Facts): void {
  test.group(`The ${store} that is simulated`, () => {
    for (const [fact, look] of Object.entries(facts)) {
      test(fact, async ({ assert }) => {
        const [found, wanted] = await look()
        assert.deepEqual(found, wanted)
      })
    }
  })
}
