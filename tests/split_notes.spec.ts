import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { splitNotes } from '#database/split_notes'
import { makeTrain } from '#releases/tests/helpers/release_world'

/** Facts of runs as they once held notes too, and what becomes of each. */
const RUNS = [
  {
    facts: '{"edited":true,"localizations":[{"locale":"en-US"}],"approved":null}',
    then: ['{"edited":true,"approved":null}', '{"localizations":[{"locale":"en-US"}]}'],
  },
  { facts: '{"comment":"Later."}', then: ['{}', '{"comment":"Later."}'] },
  // Not written anew: it keeps even its spaces.
  { facts: '{"state": null}', then: ['{"state": null}', '{}'] },
  { facts: '{}', then: ['{}', '{}'] },
  {
    facts: '{"handSet":"complete","comment":null}',
    then: ['{"handSet":"complete"}', '{"comment":null}'],
  },
]

test.group('Notes of runs', () => {
  for (const perPage of [1, 2, RUNS.length, 500]) {
    test(`leave the facts, ${perPage} runs at a time`, async ({ assert }) => {
      const { app } = await makeTrain(['1.0.0'])
      const trx = await db.transaction()
      try {
        const runs = await trx
          .from('step_runs')
          .whereIn('release_id', trx.from('releases').where('app_id', app).select('id'))
          .select('id')
          .limit(RUNS.length)
        assert.lengthOf(runs, RUNS.length)
        for (const [index, { facts }] of RUNS.entries()) {
          await trx.from('step_runs').where('id', runs[index].id).update({ facts, notes: '{}' })
        }

        await splitNotes(trx, perPage)

        for (const [index, { then }] of RUNS.entries()) {
          const { facts, notes } = await trx.from('step_runs').where('id', runs[index].id).first()
          assert.deepEqual([facts, notes], then)
        }
      } finally {
        await trx.rollback()
      }
    })
  }
})
