import { readFile } from 'node:fs/promises'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { OpenapiWrite } from '#foundation/service/openapi_write'
import { currentDocument } from '../../api/openapi/current_document.js'
import { runCommand } from '#tests/support/console'

test.group('openapi:write', () => {
  test('--check fails only if the committed document differs, and writes nothing', async ({
    assert,
  }) => {
    const path = app.makePath('docs/openapi.json')
    const read = () => readFile(path, 'utf8').catch(() => '')
    const before = await read()
    const { code, document } = await runCommand(OpenapiWrite, ['--check'])
    const differs = before !== JSON.stringify(currentDocument(), null, 2) + '\n'
    assert.deepEqual([code, document.differs], [differs ? 1 : 0, differs])
    assert.equal(await read(), before)
  })
})
