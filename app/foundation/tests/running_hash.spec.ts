import { test } from '@japa/runner'
import { DAY } from '../core/durations.js'
import { KeptHashes, RunningHash } from '../core/files/running_hash.js'

test.group('Hashes that are kept between requests', () => {
  test('are returned once, for the unchanged file at the same offset', ({ assert }) => {
    const kept = new KeptHashes()
    const hash = new RunningHash(100)
    hash.update(Buffer.alloc(40))
    kept.keep('a', hash, 'stamp')
    assert.isNull(kept.find('a', 'another'))
    assert.equal(kept.find('a', 'stamp'), hash)
    assert.equal(kept.take('a', 40, 'stamp'), hash)
    assert.isNull(kept.take('a', 40, 'stamp'))
    for (const [offset, stamp] of [
      [39, 'stamp'],
      [41, 'stamp'],
      [40, 'another'],
    ] as const) {
      kept.keep('a', hash, 'stamp')
      assert.isNull(kept.take('a', offset, stamp))
      assert.equal(kept.size, 0)
    }
  })

  test('are a thousand at most, and the least recently used is dropped', ({ assert }) => {
    const kept = new KeptHashes()
    const keep = (id: string) => kept.keep(id, new RunningHash(1), id)
    for (let index = 0; index < 1000; index++) keep(`${index}`)
    keep('0')
    keep('new')
    assert.equal(kept.size, 1000)
    assert.isNotNull(kept.find('0', '0'))
    assert.isNull(kept.find('1', '1'))
    assert.isNotNull(kept.find('2', '2'))
  })

  test('are dropped after two days without use', ({ assert }) => {
    let now = 0
    const kept = new KeptHashes(() => now)
    const keep = (id: string) => kept.keep(id, new RunningHash(1), id)
    keep('old')
    keep('used')
    now = DAY
    keep('used')
    now = 2 * DAY + 1
    keep('new')
    assert.isNull(kept.find('old', 'old'))
    assert.isNotNull(kept.find('used', 'used'))
    assert.equal(kept.size, 2)
  })
})
