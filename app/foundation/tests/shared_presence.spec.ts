import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import { SharedPresence } from '#foundation/core/processes/shared_presence'

/** Makes a process with a controlled clock and database. */
function staged() {
  const heard = { isAlive: true, silent: [] as string[], isAway: false, ahead: 0 }
  const beats: [life: string, patience: number][] = []
  const taken: string[] = []
  let time = 1000
  const presence = new SharedPresence('prc_own', {
    beats: {
      async beat(life, patience) {
        if (heard.isAway) throw new Error('away')
        beats.push([life, patience])
        return { isAlive: heard.isAlive, now: 1e12 + time + heard.ahead, silent: heard.silent }
      },
      close() {},
    },
    takeOver: {
      handle: async (silent) => void taken.push(...silent),
      handBack: async (lives) => {
        taken.push(...lives.map((life) => `own ${life}`))
        return true
      },
      sweep: async () => void taken.push('nowhere'),
      leave: async () => {},
    },
    logger: { warn() {}, info() {} } as never,
    time: () => time,
  })
  /** Lets time pass with a heartbeat at the end of each step. */
  const pass = async (milliseconds: number, step = 1000) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      time += step
      await presence.beat()
      await pause(0)
    }
  }
  return { presence, heard, beats, taken, pass, stand: (ms: number) => (time += ms) }
}

test.group('The presence of a process', () => {
  test('is unsure before its first heartbeat, and after a freeze for longer than tolerated', async ({
    assert,
  }) => {
    const { presence, heard, pass, stand } = staged()
    heard.isAway = true
    await pass(1000)
    assert.isNull(presence.life())
    heard.isAway = false
    await pass(1000)
    const life = presence.life()!
    assert.equal(life.id, 'prc_own')
    stand(2400)
    assert.isTrue(life.isSure())
    stand(200)
    assert.isFalse(life.isSure())
    assert.isNull(presence.life())
    assert.isFalse(life.lost.aborted)
  })

  test('survives an outage of the database, unless others have declared it gone meanwhile', async ({
    assert,
  }) => {
    const { presence, heard, pass, taken } = staged()
    await pass(3000)
    const life = presence.life()!
    heard.isAway = true
    await pass(20_000)
    assert.isNull(presence.life())
    heard.isAway = false
    await pass(1000)
    assert.strictEqual(presence.life(), life)
    assert.isFalse(life.lost.aborted)
    heard.isAlive = false
    await pass(1000)
    assert.isTrue(life.lost.aborted)
    assert.isNull(presence.life())
    assert.include(taken, 'own prc_own')
    heard.isAlive = true
    await pass(1000)
    assert.equal(presence.life()!.id, 'prc_own.2')
    assert.isFalse(life.isSure())
  })

  test('declares another gone only after it has heard others for a while without a gap', async ({
    assert,
  }) => {
    const { heard, pass, taken } = staged()
    heard.silent = ['prc_other']
    await pass(2000)
    assert.deepEqual(taken, [])
    await pass(2000)
    assert.deepEqual(taken.slice(0, 2), ['prc_other', 'nowhere'])
    taken.length = 0
    // After its own outage or freeze: the others had no chance to be heard.
    await pass(5000, 5000)
    await pass(2000)
    assert.deepEqual(taken, [])
    await pass(1000)
    assert.deepEqual(taken, ['prc_other', 'nowhere'])
    taken.length = 0
    // After the clock of the database was set forward, all earlier heartbeats seem too old.
    heard.ahead = 60_000
    await pass(2000)
    assert.deepEqual(taken, [])
  })

  test('has its silence tolerated for longer while its heartbeats are late', async ({ assert }) => {
    const { beats, pass } = staged()
    const patience = () => beats.at(-1)![1]
    await pass(3000)
    assert.equal(patience(), 2500)
    await pass(4000, 2000)
    assert.isAtLeast(patience(), 3400)
    await pass(60_000)
    assert.isBelow(patience(), 2510)
    await pass(90_000, 30_000)
    assert.equal(patience(), 6000)
  })
})
