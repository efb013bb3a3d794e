import fc from 'fast-check'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { OutboundResult } from '#outbound-client/exchange'
import { ClaimDeliveries } from '#webhooks/delivery/claim_deliveries'
import type { Claimed, Room } from '#webhooks/delivery/endpoint_turn'
import { RecoverDeliveries } from '#webhooks/delivery/recover_deliveries'
import { Relay } from '#webhooks/delivery/relay'
import { SettleAttempts } from '#webhooks/delivery/settle_attempts'
import { SettleTogether } from '#webhooks/delivery/settle_together'
import type { Settled, Settlement } from '#webhooks/delivery/endpoint_settling'
import type { DeliveryRow, EndpointRow } from '#webhooks/rows'
import type { AttemptKind } from '#webhooks/vocabulary'
import { ORDER_PATIENCE } from '#webhooks/retry_schedule'
import { Stage } from './support/stage.js'
import { runs } from '#tests/support/effort'

/** Derives from all rows of an endpoint which deliveries may be claimed, as documented. */
function modelOf(endpoint: EndpointRow, rows: DeliveryRow[], room: Room, now: string) {
  const isRunning = (row: DeliveryRow) => row.lease_until !== null && row.lease_until > now
  const running = rows.filter(isRunning).length
  const recent = rows.filter((row) => (row.claimed_at ?? '') > later(now, -1000)).length
  const throttled = endpoint.max_per_second === null ? 4 : endpoint.max_per_second - recent
  let slots = Math.max(0, Math.min(4 - running, throttled))
  const remaining = { ...room }
  const patience = later(now, -ORDER_PATIENCE)
  const isBehind = (row: DeliveryRow) =>
    rows.some(
      (earlier) =>
        earlier.status === 'pending' &&
        earlier.entity_key === row.entity_key &&
        earlier.sequence! < row.sequence! &&
        (earlier.first_failed_at === null || earlier.first_failed_at > patience)
    )
  const free = rows.filter((row) => !isRunning(row))
  const due = free.filter((row) => row.status === 'pending' && row.sequence !== null)
  const inOrder = due.filter((row) => !isBehind(row))
  const isActive = endpoint.status === 'active'
  const sets: Record<AttemptKind, DeliveryRow[]> = {
    manual: free.filter((row) => row.manual_at !== null && row.manual_at <= now),
    retry: inOrder.filter((row) => {
      return isActive && row.failed_attempts > 0 && row.next_attempt_at! <= now
    }),
    first: inOrder.filter((row) => isActive && row.failed_attempts === 0),
    probe: [],
  }
  /** Returns how many deliveries of a kind start, without those that started as another kind. */
  const start = (kind: AttemptKind, share: keyof Room, taken: Set<string>) => {
    const candidates = sets[kind].filter(({ id }) => !taken.has(id))
    const count = Math.max(0, Math.min(slots, remaining[share], candidates.length))
    slots -= count
    remaining[share] -= count
    return count
  }
  return { sets, start, running, due }
}

const outcome = (status: number) => ({
  kind: 'sent' as const,
  startedAt: '2026-01-01T00:00:00.000Z',
  url: 'https://receiver.example/',
  headerNames: [],
  result: {
    errorClass: null,
    errorMessage: null,
    status,
    headers: {},
    body: Buffer.alloc(0),
    truncated: false,
    bodyPrefix: '',
    remoteAddress: null,
    timings: { total: 1 },
  } satisfies OutboundResult,
})

const entity = fc.constantFrom('a', 'b', 'c')
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('record' as const),
        entities: fc.array(entity, { minLength: 1, maxLength: 6 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('claim' as const),
        first: fc.integer({ min: 0, max: 5 }),
        retry: fc.integer({ min: 0, max: 3 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('settle' as const),
        which: fc.nat(3),
        statuses: fc.array(fc.constantFrom(204, 500, 500), { minLength: 1, maxLength: 4 }),
        goesOn: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.constantFrom(400, 6000, MINUTE, 5 * MINUTE, 40 * MINUTE),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('redeliver' as const), which: fc.nat(20) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) }
  ),
  { minLength: 6, maxLength: 40 }
)

test.group('Claims compared with a naive model', () => {
  test('claim exactly the deliveries that the model allows, whatever happened before', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(null, 2), async (script, maxPerSecond) => {
        const stage = await Stage.set()
        const { row } = await stage.endpoint('https://hooks.example.com/', {
          maxPerSecond: maxPerSecond ?? undefined,
        })
        const { id } = row
        const relay = new Relay(db as never, stage.clock)
        const recoveries = new RecoverDeliveries(db as never, stage.clock)
        const settling = new SettleAttempts(db as never, stage.clock, () => 0)
        let flying: Claimed[] = []

        const check = async (room: Room, claim: () => Promise<Claimed[]>) => {
          const [endpoint, rows] = [await stage.endpointRow(id), await stage.deliveries(id)]
          const now = stage.clock.now()
          const { sets, start, running, due } = modelOf(endpoint, rows, room, now)
          const claimed = await claim()
          const taken = new Set<string>()
          const of = (kind: AttemptKind) => claimed.filter((each) => each.kind === kind)
          for (const [kind, share] of [
            ['manual', 'first'],
            ['retry', 'retry'],
            ['first', 'first'],
          ] as const) {
            const got = of(kind).map(({ delivery }) => delivery.id)
            assert.lengthOf(got, start(kind, share, taken), `${kind} of ${claimed.length}`)
            const allowed = sets[kind].map((each) => each.id)
            assert.includeMembers(allowed, got, kind)
            got.forEach((each) => taken.add(each))
          }
          const firsts = of('first').map(({ delivery }) => delivery.sequence!)
          const waiting = sets.first.filter((each) => !taken.has(each.id))
          for (const { sequence } of waiting) {
            assert.isTrue(
              firsts.every((each) => each < sequence!),
              'the oldest first'
            )
          }
          const isProbed =
            endpoint.status === 'degraded' &&
            running + taken.size === 0 &&
            (endpoint.probe_at ?? '') <= now &&
            room.retry > 0 &&
            (endpoint.max_per_second === null || of('probe').length > 0)
          if (isProbed && due.length > 0) {
            assert.deepEqual(
              of('probe').map(({ delivery }) => delivery.id),
              [due[0].id]
            )
          } else assert.isEmpty(of('probe'))
          flying.push(...claimed)
        }
        /** Claims with a new instance, which skips no endpoint that lacked workers before. */
        const claim = (room: Room) =>
          check(room, () => new ClaimDeliveries(db as never, stage.clock).handle(room))

        for (const step of script) {
          if (step.kind === 'record') {
            await stage.record(...step.entities.map((each) => ({ entity: each })))
            while ((await relay.run()) > 0);
          }
          if (step.kind === 'pass') stage.clock.advance(step.ms)
          if (step.kind === 'claim') await claim({ first: step.first, retry: step.retry })
          if (step.kind === 'settle' && flying.length > 0) {
            const ended = flying.splice(step.which % flying.length, step.statuses.length)
            const settled = await settling.handleAll(
              ended.map((claimed, index) => ({
                claimed,
                outcome: outcome(step.statuses[index]),
                room: step.goesOn ? { first: 1, retry: 0 } : undefined,
              }))
            )
            flying.push(...settled.flatMap((each) => each?.next ?? []))
          }
          // A row shows its last claim alone: the model needs another second to claim it again.
          if (step.kind === 'redeliver' || step.kind === 'restore') stage.clock.advance(SECOND)
          if (step.kind === 'redeliver') {
            const rows = await stage.deliveries(id)
            const now = stage.clock.now()
            const idle = rows.filter((each) => (each.lease_until ?? '') <= now)
            if (idle.length === 0) continue
            const { id: delivery } = idle[step.which % idle.length]
            await db.from('webhook_deliveries').where('id', delivery).update({ manual_at: now })
            await db.from('webhook_endpoints').where('id', id).update({ wake_at: now })
          }
          if (step.kind === 'restore') {
            const path = `/org/${stage.world.organizationId}/webhookEndpoint/${id}`
            await stage.world.admin.patch(path, { enabled: false })
            await stage.world.admin.patch(path, { enabled: true })
            await stage.world.admin.post(`${path}/recover`, { since: '2020-01-01T00:00:00.000Z' })
            while ((await recoveries.run()) > 0);
          }
          const now = stage.clock.now()
          flying = flying.filter(({ delivery }) => delivery.lease_until! > now)
        }
        await claim({ first: 15, retry: 5 })
      }),
      { numRuns: runs(60) }
    )
  }).timeout(120_000)
})

test.group('Attempts that are settled together', () => {
  const status = fc.constantFrom(204, 410, 429, 500)

  test('have the same results as one after the other', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(status, { minLength: 1, maxLength: 4 }), async (statuses) => {
        const ends = async (together: boolean) => {
          const stage = await Stage.set()
          const start = stage.clock.milliseconds()
          const { row } = await stage.endpoint('https://hooks.example.com/')
          await stage.record(...statuses.map((_, index) => ({ entity: `release_${index}` })))
          await new Relay(db as never, stage.clock).run()
          const room = { first: 4, retry: 0 }
          const claimed = await new ClaimDeliveries(db as never, stage.clock).handle(room)
          const settling = new SettleAttempts(db as never, stage.clock, () => 0)
          const settlements = claimed.map((each, index) => ({
            claimed: each,
            outcome: outcome(statuses[index]),
          }))
          const settled = []
          if (together) settled.push(...(await settling.handleAll(settlements)))
          else for (const each of settlements) settled.push(await settling.handle(each))
          const endpoint = await stage.endpointRow(row.id)
          const deliveries = await stage.deliveries(row.id)
          const attempts = await db
            .from('webhook_attempts')
            .whereIn(
              'delivery_id',
              deliveries.map(({ id }) => id)
            )
            .select('number', 'kind', 'status_code')
            .orderBy('status_code')
          const found = {
            settled: settled.map((each) => ({ ...each, next: each?.next.length })),
            endpoint: only(endpoint, ['status', 'failures', 'probe_at', 'probes', 'wake_at']),
            deliveries: deliveries.map((each) =>
              only(each, ['status', 'claim_id', 'next_attempt_at', 'failed_attempts'])
            ),
            attempts,
          }
          return sinceStart(found, start)
        }
        const [one, all] = [await ends(false), await ends(true)]
        assert.deepEqual(all, one)
        assert.lengthOf(one.attempts, statuses.length)
      }),
      { numRuns: runs(20) }
    )
  }).timeout(60_000)

  test('change nothing of deliveries that are claimed by others or deleted', async ({ assert }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({ entity: 'a' })
    await new Relay(db as never, stage.clock).run()
    const room = { first: 4, retry: 0 }
    const [claimed] = await new ClaimDeliveries(db as never, stage.clock).handle(room)
    const settling = new SettleAttempts(db as never, stage.clock, () => 0)
    const late = { claimed: { ...claimed, claimId: 'clm_of_before' }, outcome: outcome(204) }
    const gone = {
      claimed: { ...claimed, endpoint: { ...claimed.endpoint, id: 'whe_gone' } },
      outcome: outcome(204),
    }
    const [first, second] = await settling.handleAll([late, gone])
    assert.isFalse(first?.owned)
    assert.isNull(second)
    assert.equal((await stage.deliveries(row.id))[0].status, 'pending')
    const together = new SettleTogether(settling)
    const ends = await Promise.all(
      [late, { claimed, outcome: outcome(204) }, gone].map((each) => together.handle(() => each))
    )
    assert.deepEqual(
      ends.map(({ owned }) => owned),
      [false, true, false]
    )
  })

  test('fail alone: one that cannot be stored does not keep others from being stored', async ({
    assert,
  }) => {
    const sent: string[][] = []
    const fails = (name: string) => name === 'bad'
    const attempts = {
      handle: async ({ claimed }: Settlement) => {
        sent.push([claimed.claimId])
        if (fails(claimed.claimId)) throw new Error('not stored')
        return { owned: true } as Settled
      },
      handleAll: async (all: readonly Settlement[]) => {
        sent.push(all.map(({ claimed }) => claimed.claimId))
        if (all.some(({ claimed }) => fails(claimed.claimId))) throw new Error('not stored')
        return all.map(() => ({ owned: true }) as Settled)
      },
    }
    const together = new SettleTogether(attempts)
    const results = await Promise.allSettled(
      ['first', 'good', 'bad', 'fine'].map((claimId) =>
        together.handle(() => ({ claimed: { claimId } as Claimed, outcome: outcome(204) }))
      )
    )
    assert.deepEqual(
      results.map((each) => each.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled']
    )
    assert.deepEqual(sent, [
      ['first', 'good', 'bad', 'fine'],
      ['first'],
      ['good'],
      ['bad'],
      ['fine'],
    ])
  })

  test('fail alone: one whose settlement cannot be made is left out', async ({ assert }) => {
    const attempts = {
      handle: async () => ({ owned: true }) as Settled,
      handleAll: async (all: readonly Settlement[]) => all.map(() => ({ owned: true }) as Settled),
    }
    const together = new SettleTogether(attempts)
    const settlement = { claimed: { claimId: 'good' } as Claimed, outcome: outcome(204) }
    const failing = (): Settlement => {
      throw new Error('no room is known')
    }
    const results = await Promise.allSettled([
      together.handle(() => settlement),
      together.handle(failing),
      together.handle(() => settlement),
    ])
    assert.deepEqual(
      results.map((each) => each.status),
      ['fulfilled', 'rejected', 'fulfilled']
    )
    const alone = await Promise.allSettled([together.handle(failing)])
    assert.equal(alone[0].status, 'rejected')
  })
})

function only<Row extends object, Name extends keyof Row>(row: Row, kept: Name[]) {
  return Object.fromEntries(kept.map((name) => [name, row[name]]))
}

/** Replaces instants by milliseconds since the start, to compare runs that began at other times. */
function sinceStart<Found>(found: Found, start: number): Found {
  return JSON.parse(
    JSON.stringify(found, (_, value) =>
      typeof value === 'string' && /^\d{4}-.*Z$/.test(value) ? Date.parse(value) - start : value
    )
  )
}
