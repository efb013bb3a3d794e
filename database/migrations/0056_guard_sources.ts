import { BaseSchema } from '@adonisjs/lucid/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Guards look at what providers count too, and a policy says what stops with what. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('rollouts', (table) => {
      // JSON: what providers last told of the version and of the one before.
      table.text('samples').notNullable().defaultTo('[]')
      table.string('asked_since', 24)
    })
    this.defer((client) => completePolicies(client))
  }

  override async down() {
    this.schema.alterTable('rollouts', (table) => {
      table.dropColumn('samples')
      table.dropColumn('asked_since')
    })
  }
}

/** So far a policy looked at custom events, and stopped its own rollout alone. */
async function completePolicies(client: QueryClientContract): Promise<void> {
  const rows: { id: string; policy: string }[] = await client
    .from('rollout_policies')
    .select('id', 'policy')
  for (const { id, policy: text } of rows) {
    const policy = JSON.parse(text)
    const metrics = policy.guard?.metrics?.map(
      ({ name, ...events }: { name: string; total: string; bad: string }) => ({
        name,
        source: 'events',
        ...events,
      })
    )
    const guard = policy.guard && { ...policy.guard, metrics }
    const complete = JSON.stringify({ ...policy, guard, stops: 'own' })
    await client.from('rollout_policies').where('id', id).update({ policy: complete })
  }
}
