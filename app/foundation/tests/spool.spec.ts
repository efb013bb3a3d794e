import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { plainFileName } from '../api/http/file_name.js'
import { Spool } from '../core/files/spool.js'

test.group('The spool', () => {
  test('removes files that nobody has written to for a day', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-spool-'))
    cleanup(() => rmSync(folder, { recursive: true, force: true }))
    const now = Date.now()
    for (const [name, ageMs] of [
      ['old', 25 * 3600_000],
      ['young', 23 * 3600_000],
    ] as const) {
      writeFileSync(join(folder, name), 'x')
      const changed = new Date(now - ageMs)
      utimesSync(join(folder, name), changed, changed)
    }
    await new Spool(folder).removeLeftovers(now)
    assert.deepEqual(readdirSync(folder), ['young'])
    await new Spool(join(folder, 'absent')).removeLeftovers(now)
  })
})

test.group('Names of files', () => {
  test('are normalized, at most 255 bytes long, and without path separators', ({ assert }) => {
    assert.equal(plainFileName('Acme\u202Egpj.ipa'), 'Acmegpj.ipa')
    assert.equal(plainFileName('../..\\etc/passwd\r\n\0'), '....etcpasswd')
    assert.equal(plainFileName('Cafe\u0301.apk'), 'Caf\u00e9.apk')
    assert.equal(plainFileName('ü'.repeat(200)), 'ü'.repeat(127))
    for (const nothing of [undefined, '', '..', ' / ', '\u200f']) {
      assert.isUndefined(plainFileName(nothing))
    }
  })
})
