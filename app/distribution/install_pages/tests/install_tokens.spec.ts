import { test } from '@japa/runner'
import fc from 'fast-check'
import { BASE62, newId } from '#foundation/core/ids'
import { linkOfToken, pageToken, readTicket, writeTicket } from '../install_tokens.js'
import { runs } from '#tests/support/effort'

const NOW = '2026-11-16T11:45:00.500Z'
const place = { linkId: newId('link'), buildId: newId('build') }

test.group('Tokens of install pages', () => {
  test('lead back to their link or build, and need no encoding in addresses', ({ assert }) => {
    assert.equal(linkOfToken(pageToken(place.linkId)), place.linkId)
    const token = writeTicket('manifest', place, NOW)
    assert.deepEqual(readTicket('manifest', token), {
      ...place,
      expiresAt: '2026-11-16T12:45:00.000Z',
    })
    assert.equal(
      readTicket('package', writeTicket('package', place, NOW))!.expiresAt,
      '2026-11-16T17:45:00.000Z'
    )
    for (const each of [token, pageToken(place.linkId)]) {
      assert.equal(encodeURIComponent(each), each)
      assert.isAtLeast(each.length, 42)
    }
  })

  test('are valid for one use alone', ({ assert }) => {
    const token = writeTicket('manifest', place, NOW)
    assert.isNull(readTicket('package', token))
    assert.isNull(readTicket('smallIcon', writeTicket('largeIcon', place, NOW)))
    assert.isNull(linkOfToken(token))
    assert.isNull(readTicket('manifest', pageToken(place.linkId)))
  })

  test('are invalid if a single character was changed', ({ assert }) => {
    const characters = [...BASE62, '-', '_']
    const change = fc.record({ at: fc.nat(), to: fc.constantFrom(...characters) })
    fc.assert(
      fc.property(change, fc.boolean(), ({ at, to }, isTicket) => {
        const token = isTicket ? writeTicket('package', place, NOW) : pageToken(place.linkId)
        const index = at % token.length
        const changed = token.slice(0, index) + to + token.slice(index + 1)
        if (changed === token) return
        assert.isNull(isTicket ? readTicket('package', changed) : linkOfToken(changed))
      }),
      { numRuns: runs(100) }
    )
  })

  test('of any other form are invalid', ({ assert }) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.isNull(linkOfToken(text))
        assert.isNull(readTicket('manifest', text))
      }),
      { numRuns: runs(50) }
    )
    assert.isNull(linkOfToken(`${pageToken(place.linkId)}\n`))
  })
})
