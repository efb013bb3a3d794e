import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** What the engine derives a step's status from; the rest of a run is what people noted. */
const FACTS = new Set([
  'blockedReason',
  'counts',
  'locales',
  'activeBuild',
  'handSet',
  'state',
  'edited',
  'approved',
  'selectedBuild',
  'invalidBinary',
  'submitted',
  'pending',
  'released',
  'notBefore',
  'percentage',
  'nextStage',
])

type Member = [name: string, value: unknown]

const isFact = ([name]: Member) => FACTS.has(name)
const isNote = (member: Member) => !isFact(member)
const stored = (members: Member[]) => JSON.stringify(Object.fromEntries(members))

/**
 * Moves what people noted at runs out of the facts, into the notes. Runs are read in pages,
 * and those that nothing is noted at are left as they are.
 */
export async function splitNotes(client: QueryClientContract, perPage = 500): Promise<void> {
  let last = ''
  for (;;) {
    const page: { id: string; facts: string }[] = await client
      .from('step_runs')
      .where('id', '>', last)
      .orderBy('id')
      .limit(perPage)
      .select('id', 'facts')
    for (const { id, facts } of page) {
      const members: Member[] = Object.entries(JSON.parse(facts))
      if (members.every(isFact)) continue
      await client
        .from('step_runs')
        .where('id', id)
        .update({
          facts: stored(members.filter(isFact)),
          notes: stored(members.filter(isNote)),
        })
    }
    if (page.length < perPage) return
    last = page.at(-1)!.id
  }
}
