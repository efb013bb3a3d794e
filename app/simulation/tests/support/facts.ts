import { test } from '@japa/runner'

/** The observed answer to each fact, in one word; the fact is its name. */
export type Facts = Record<string, () => Promise<[found: unknown, fact: unknown]>>

/** Holds what is known of a store, fact by fact, against what the simulated one answers. */
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
