import { test } from '@japa/runner'
import fc from 'fast-check'
import { parse } from 'plist'
import { html } from '#foundation/api/http/html'
import { writeManifest } from '../manifest.js'
import { runs } from '#tests/support/effort'

/** Decodes entities as a browser does; deliberately independent of the code. */
const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<script>',
    '"><img src=x onerror=1>',
    '&lt;',
    "' onload='",
    '__proto__',
    '\ud800'
  )
)

test.group('HTML', () => {
  test('escapes any text, so that it is never markup', ({ assert }) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const written = html`${text}`.toString()
        assert.notMatch(written, /[<>"']/)
        assert.notMatch(written, /&(?!(amp|lt|gt|quot|#39);)/)
        assert.equal(decoded(written), text)
      }),
      { numRuns: runs(100) }
    )
  })

  test('contains nested markup and lists of it, and nothing for null, undefined and false', ({
    assert,
  }) => {
    const items = ['a', '<b>'].map((each) => html`<li>${each}</li>`)
    const page = html`<ul class="${'"'}">
        ${items}
      </ul>
      ${null}${undefined}${false}${0}`
    const dense = page.toString().replaceAll(/\s*\n\s*/g, '')
    assert.equal(dense, '<ul class="&quot;"><li>a</li><li>&lt;b&gt;</li></ul>0')
  })
})

test.group('A manifest', () => {
  test('is XML with the given values, whatever an archive is called', ({ assert }) => {
    const address = 'https://tarmac.acme.example/install-package/x'
    fc.assert(
      fc.property(anyText, (title) => {
        const addresses = { packageUrl: address, smallIconUrl: address, largeIconUrl: address }
        const app = { bundleId: 'com.acme.app', version: '4.2.0', title, ...addresses }
        const { items } = parse(writeManifest(app)) as any
        // XML can contain neither control characters nor lone surrogates.
        // oxlint-disable-next-line no-control-regex
        const kept = title.toWellFormed().replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '')
        const normal = (text: string) => text.replace(/\r\n?/g, '\n')
        assert.equal(normal(items[0].metadata.title), normal(kept))
      }),
      { numRuns: runs(100) }
    )
  })
})
