import { test } from '@japa/runner'
import fc from 'fast-check'
import { MAX_PARTS, partSizeOf } from '../core/files/part_size.js'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

test.group('The size of parts', () => {
  test('suits any file that S3 accepts, with at most 10,000 parts that S3 accepts', ({
    assert,
  }) => {
    const largest = 5 * 1024 * GIB
    fc.assert(
      fc.property(fc.integer({ min: 0, max: largest }), (size) => {
        const partSize = partSizeOf(size)
        assert.isAtMost(Math.ceil(size / partSize), MAX_PARTS)
        assert.isAtLeast(partSize, 5 * MIB)
        assert.isAtMost(partSize, 5 * GIB)
        assert.equal(partSize % MIB, 0)
      })
    )
  })

  test('is the minimum for every file that may be uploaded, and grows for larger ones', ({
    assert,
  }) => {
    assert.equal(partSizeOf(4 * GIB), 8 * MIB)
    assert.equal(partSizeOf(MAX_PARTS * 8 * MIB), 8 * MIB)
    assert.equal(partSizeOf(MAX_PARTS * 8 * MIB + 1), 9 * MIB)
    assert.equal(partSizeOf(5 * 1024 * GIB), 525 * MIB)
  })
})
