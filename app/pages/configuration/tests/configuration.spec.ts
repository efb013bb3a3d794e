import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { MAX_FILE_BYTES } from '#configuration/read_configuration_file'
import { makeApp } from '#tests/support/app_fixture'
import { attributes, hiddenIn, pageWorld, signedIn, textOf } from '../../tests/support.js'

async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world)
  const path = `/dashboard/app/${appId}/config`
  const { text } = await person.get(path)
  const config = () => world.admin.get(`/app/${appId}/app/config`)
  const { text: exported } = await config()
  return { world, person, appId, path, page: text, exported, config }
}

/** Returns the text in the field, as a browser decodes it. */
const typedIn = (page: string) =>
  /<textarea[^>]*>\n([^]*?)<\/textarea>/
    .exec(page)![1]
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Returns a text with line ends as browsers send them. */
const sent = (text: string) => text.replaceAll('\n', '\r\n')

const fieldsOf = (page: string, text: string) => ({
  configuration: sent(text),
  _tag: hiddenIn(page, '_tag'),
  seenAt: hiddenIn(page, 'seenAt'),
})

test.group('The page of a configuration', () => {
  test('200 shows the text that the API exports, and a check finds nothing wrong with it', async ({
    assert,
  }) => {
    const { person, path, page, exported, config } = await given()
    assert.equal(typedIn(page), exported)
    assert.include(textOf(page), `At most ${MAX_FILE_BYTES / 1024} KB.`)
    const checked = await person.post(`${path}/check`, fieldsOf(page, exported))
    assert.equal(checked.status, 200)
    assert.include(textOf(checked.text), 'It is valid.')
    assert.equal(typedIn(checked.text), exported)
    assert.equal((await config()).text, exported)
  })

  test('422 lists each problem with its line, 400 invalid YAML; both keep the text', async ({
    assert,
  }) => {
    const { person, path, page, exported, config } = await given()
    for (const [action, status, text, words] of [
      ['check', 422, exported.replace('name:', "nam: 'x' #"), /did you mean "name"\?/],
      ['plan', 422, exported.replace('platform: ios', 'platform: <b>'), /column 11 platform/],
      ['plan', 400, `${exported}name: [\n`, /Line \d+, column \d+/],
      ['', 422, `${exported}nope: 1\n`, /nope: 1/],
    ] as const) {
      const shown = await person.post(`${path}${action && `/${action}`}`, fieldsOf(page, text))
      assert.equal(shown.status, status, text)
      assert.equal(typedIn(shown.text), text)
      assert.match(textOf(shown.text), words)
      assert.match(textOf(shown.text), /Not done\..* Nothing was changed\./)
      assert.equal(hiddenIn(shown.text, '_tag'), hiddenIn(page, '_tag'))
      const lines = attributes(shown.text, 'data-line').map(Number)
      assert.isNotEmpty(lines)
      assert.isTrue(lines.every((line) => line >= 1 && line <= text.split('\n').length))
    }
    assert.equal((await config()).text, exported)
  })

  test('200 shows a plan in words, and 303 applies the planned text', async ({ assert }) => {
    const { person, path, page, exported, config } = await given()
    const text = `${exported}appGroup: Shop & Co\n`
    const planned = await person.post(`${path}/plan`, fieldsOf(page, text))
    assert.equal(planned.status, 200)
    assert.match(textOf(planned.text), /would follow Add appGroup to Shop & Co Label of the app/)
    assert.equal((await config()).text, exported)
    const mark = attributes(/<button[^>]*name="planned"[^>]*>/.exec(planned.text)![0], 'value')[0]
    const applied = await person.post(path, { ...fieldsOf(planned.text, text), planned: mark })
    assert.deepEqual([applied.status, applied.location], [303, path])
    assert.include(textOf((await person.get(path)).text), 'Applied.')
    assert.include((await config()).text, 'appGroup: Shop & Co')
    const again = await person.get(path)
    const same = await person.post(`${path}/plan`, fieldsOf(again.text, typedIn(again.text)))
    assert.include(textOf(same.text), 'Nothing would change')
    assert.notInclude(same.text, 'name="planned"')
  })

  test('409 if the text is not the one that was planned', async ({ assert }) => {
    const { person, path, page, exported, config } = await given()
    const planned = await person.post(`${path}/plan`, fieldsOf(page, `${exported}appGroup: A\n`))
    const mark = attributes(/<button[^>]*name="planned"[^>]*>/.exec(planned.text)![0], 'value')[0]
    const other = `${exported}appGroup: B\n`
    const refused = await person.post(path, { ...fieldsOf(planned.text, other), planned: mark })
    assert.equal(refused.status, 409)
    assert.include(textOf(refused.text), 'The text changed after it was planned')
    assert.equal(typedIn(refused.text), other)
    assert.equal((await config()).text, exported)
  })

  test('412 lists the changes if the app has changed since the plan; a new plan can be applied', async ({
    assert,
  }) => {
    const { world, person, appId, path, page, exported, config } = await given()
    const text = `${exported}appGroup: Shop\n`
    const planned = await person.post(`${path}/plan`, fieldsOf(page, text))
    const freezes = [
      {
        ...{ name: 'Holidays', phases: ['release'] },
        ...{ startAt: '2031-05-06T00:00:00.000Z', endAt: '2031-05-07T00:00:00.000Z' },
      },
    ]
    await world.admin.put(`/app/${appId}/lifecycleFreezes`, { freezes })
    const refused = await person.post(path, fieldsOf(planned.text, text))
    assert.equal(refused.status, 412)
    assert.equal(typedIn(refused.text), text)
    assert.match(textOf(refused.text), /Your text is kept below\./)
    assert.match(textOf(refused.text), /Changed in the meantime Freezes: Holidays/)
    assert.notInclude((await config()).text, 'appGroup')
    const anew = await person.post(`${path}/plan`, fieldsOf(refused.text, text))
    assert.equal(anew.status, 200)
    const applied = await person.post(path, fieldsOf(anew.text, text))
    assert.equal(applied.status, 303, textOf(applied.text))
    // Members that the text does not name keep the other change.
    assert.include((await config()).text, 'Holidays')
  })

  test('413 for a file that is too large; the largest one comes back whole', async ({ assert }) => {
    const { person, path, page, exported, config } = await given()
    const most = 128 * 1024
    const wrong = (bytes: number) => {
      const lines = Array.from({ length: 20_000 }, (_, at) => `wrong-${10_000 + at}: 1\n`)
      const [line] = lines
      const count = Math.floor((bytes - Buffer.byteLength(exported)) / line.length)
      return exported + lines.slice(0, count).join('')
    }
    const large = await person.post(`${path}/check`, fieldsOf(page, wrong(most)))
    assert.equal(large.status, 422)
    assert.equal(typedIn(large.text), wrong(most))
    assert.lengthOf(attributes(large.text, 'data-line'), 500)
    assert.match(
      textOf(large.text),
      /500 problems in the text, and more\..* \d+ more problems are not listed\./
    )
    const tooLarge = exported + `# ${'x'.repeat(most)}\n`
    const refused = await person.post(`${path}/check`, fieldsOf(page, tooLarge))
    assert.equal(refused.status, 413)
    assert.equal(typedIn(refused.text), tooLarge)
    assert.equal((await config()).text, exported)
  })

  test('is read-only for those who may not change it', async ({ assert }) => {
    const { world, path } = await given()
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const guest = await signedIn(world, { admin: false })
    const { status, text } = await guest.get(path)
    assert.equal(status, 200)
    assert.match(text, /<textarea[^>]*readonly/)
    assert.notInclude(text, 'formaction')
    assert.include(textOf(text), 'People who may update the settings of apps can change it.')
  })
})
