import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The lag of reads that were made before plugins declared one, in seconds. */
const LAG = 2 * 60 * 60

/** States that a version never leaves. */
const OVER = ['replaced', 'removed']

/** Milliseconds that a store may take to show a stop before people are called. */
const CONFIRMED_WITHIN = 10 * 60_000

/** What is planned twice is planned once, for now. */
const PLAN = `insert into agenda_entries (id, organization_id, nature, kind, subject,
    idempotency_key, payload, state, due_at, look_at, created_at)
  values (:id, :org, :nature, :kind, :subject, :subject, :payload, 'planned', :at, :at, :now)
  on conflict (coalesce(organization_id, ''), kind, idempotency_key)
    do update set due_at = excluded.due_at, look_at = excluded.look_at`

const WATCH = `insert into store_watches (organization_id, app_id, integration_id, what)
  values (:org, :appId, :integrationId, 'versions') on conflict do nothing`

/**
 * Has all stores polled in which a version may still change, whatever became of its release, its
 * rollout watched, and people called where a stop that is under way is not confirmed.
 */
export async function followStores(client: QueryClientContract, now: Date): Promise<void> {
  const at = now.toISOString()
  await watchAgain(client, at)
  const followed = new Set(await completeVersions(client))
  const plans = await client.from('store_plans').whereNotNull('rollout')
  for (const { id, organization_id: org, ...plan } of plans) {
    const { is, to } = JSON.parse(plan.rollout)
    if (is !== 'underWay' || !['halt', 'pause'].includes(to.action)) continue
    const { app_id: appId, release_id: releaseId, integration_id: integrationId } = plan
    followed.add(integrationId)
    await client.rawQuery(PLAN, {
      ...{ id: `agd_${id}`, org, nature: 'timer', kind: 'store.confirmStop' },
      subject: `${releaseId} ${integrationId}`,
      payload: JSON.stringify({ appId, releaseId, integrationId, generation: 0 }),
      at: new Date(now.getTime() + CONFIRMED_WITHIN).toISOString(),
      now: at,
    })
  }
  const stores = await client.from('integrations').where('kind', 'appStore')
  for (const { id, organization_id: org, app_id: appId, connection_id: connectionId } of stores) {
    if (!followed.has(id)) continue
    await client.rawQuery(WATCH, { org, appId, integrationId: id })
    await client.rawQuery(PLAN, {
      ...{ id: `agd_${id}`, org, nature: 'observation', kind: 'store.versions', subject: id },
      payload: JSON.stringify({ appId, integrationId: id, connectionId }),
      ...{ at, now: at },
    })
  }
}

/** Has rollouts watched again that were left when their release ended. */
async function watchAgain(client: QueryClientContract, at: string): Promise<void> {
  const left = await client.from('rollouts').whereNull('ended_at').whereNull('look_at')
  for (const { id, organization_id: org, ...rollout } of left) {
    const { app_id: appId, release_id: releaseId, integration_id: integrationId } = rollout
    for (const [nature, kind] of [
      ['timer', 'rollout.look'],
      ['observation', 'rollout.measure'],
    ]) {
      await client.rawQuery(PLAN, {
        ...{ id: `agd_${id}_${nature}`, org, nature, kind },
        subject: `${releaseId} ${integrationId}`,
        payload: JSON.stringify({ appId, releaseId, integrationId }),
        ...{ at, now: at },
      })
    }
  }
}

/** Completes what was seen of versions. @returns the integrations of those that are not over */
async function completeVersions(client: QueryClientContract): Promise<string[]> {
  const present: string[] = []
  const rows = await client.from('app_store_versions')
  for (const { id, integration_id: integrationId, seen, known } of rows) {
    const last = known === null ? null : complete(JSON.parse(known))
    const isOver = last !== null && OVER.includes(last.state)
    if (!isOver) present.push(integrationId)
    await client
      .from('app_store_versions')
      .where({ id })
      .update({
        seen: JSON.stringify(complete(JSON.parse(seen))),
        known: last && JSON.stringify(last),
        is_over: isOver,
      })
  }
  return present
}

interface Seen {
  at: string
  state: string
  /** What users were offered before the version was replaced. */
  offered?: Seen
}

function complete({ at, offered, ...rest }: Seen): Seen {
  const read = { lagSeconds: LAG, ofCall: null, ...rest, waitsForSending: false, rejection: null }
  return { at, ...read, ...(offered && { offered: complete(offered) }) }
}
