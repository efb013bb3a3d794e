import { readdir, readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { DATA_FIELDS, KINDS } from '#plugin-kit/kinds'
import { FOLDER, referencePages } from './support/plugin_kit_reference.js'

test.group('The reference of the plugin kit', () => {
  test('is what `npm run reference` writes', async ({ assert }) => {
    const pages = await referencePages()
    assert.sameMembers(await readdir(FOLDER), [...pages.keys()])
    for (const [name, text] of pages) {
      assert.equal(await readFile(new URL(name, FOLDER), 'utf8'), text, name)
    }
  })

  test('names every kind, field and method, with words for each method', async ({ assert }) => {
    const pages = await referencePages()
    for (const kind of KINDS) {
      const page = pages.get(`${kind}.md`)!
      for (const field of Object.keys(DATA_FIELDS[kind])) assert.include(page, `- \`${field}\``)
      const methods = [REQUIRED_METHODS[kind], OPTIONAL_METHODS[kind]].flatMap(Object.keys)
      for (const method of methods) {
        const [, words] = new RegExp(`### \`${method}\`\n\n\`\`\`ts\n[^]*?\`\`\`\n\n(.*)`).exec(
          page
        )!
        assert.match(words, /^[A-Z].*[a-z]/, `${kind}.${method}`)
        assert.notMatch(words, /^May be left out/, `${kind}.${method}`)
      }
    }
  })
})
