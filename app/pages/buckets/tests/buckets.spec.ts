import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeBucket } from '#distribution/tests/support'
import { attributes, hiddenIn, outliveTags, signedIn, textOf } from '../../tests/support.js'

/*
 * Buckets, builds and install links on pages.
 */

async function given(settings: object = {}) {
  const found = await makeBucket({ publicLinkEnabled: true, ...settings })
  const { world, app, bucket } = found
  const person = await signedIn(world)
  const all = `/dashboard/app/${app}/bucket`
  const page = `${all}/${bucket.id}`
  /** Sends a form, and returns the page that it leads to. */
  const done = async (from: string, to: string, fields = {}) => {
    const { status, location, text } = await person.send(from, to, fields)
    if (status !== 303) throw new Error(`${to}: ${status} ${textOf(text)}`)
    return { ...(await person.get(location!)), location: location! }
  }
  return { ...found, person, all, page, done }
}

/** Returns a person whose only group grants no user action. */
async function memberOf({ world }: Awaited<ReturnType<typeof given>>, name: string) {
  const person = await signedIn(world, { admin: false })
  const group = { name, userActions: [], userEmails: [person.email] }
  const { status, text } = await world.admin.post(`/org/${world.organizationId}/group`, group)
  if (status !== 201) throw new Error(text)
  return person
}

test.group('Buckets on pages', () => {
  test('303 to a new bucket, made once, with members, rules and expiry', async ({ assert }) => {
    const { admin, app, person, all, done } = await given()
    const form = await person.get(`${all}/new`)
    const fields = {
      ...{ name: 'Crew', type: 'custom', publicLinkEnabled: 'true' },
      members: `QA, uploader\n${person.email}\n`,
      ...{ 'ruleType-0': 'PR', 'ruleBranch-0': 'main', 'ruleWorkflow-0': 'ci.yml' },
      ...{ 'ruleFiles-0': '*.ipa, *.zip', 'maxAgeDays': '30', 'maxBuilds': '' },
      _key: hiddenIn(form.text, '_key'),
    }
    const made = await done(`${all}/new`, all, fields)
    assert.equal((await person.post(all, fields)).location, made.location)
    const { body } = await admin.get(`/app/${app}/bucket`)
    assert.lengthOf(body, 2)
    const bucket = body.find(({ name }: { name: string }) => name === 'Crew')
    assert.containsSubset(bucket, {
      ...{ orgWideAccessEnabled: false, publicLinkEnabled: true, notificationsEnabled: false },
      members: [
        { type: 'group', name: 'QA', permissionLevel: 'uploader' },
        { type: 'user', name: person.email, permissionLevel: 'tester' },
      ],
      rules: [{ type: 'PR', baseBranch: 'main', workflow: 'ci.yml' }],
      automations: [{ enabled: true, config: { maxAgeDays: 30, maxBuilds: null } }],
    })
    assert.deepEqual(bucket.rules[0].fileFilterPatterns, ['*.ipa', '*.zip'])
    for (const words of [
      'Pull requests onto main by ci.yml: *.ipa, *.zip',
      'expire after 30 days',
    ]) {
      assert.include(textOf(made.text), words)
    }
    assert.match(textOf((await person.get(all)).text), /Crew Custom QA, .* 0 builds/)
  })

  test('422 keeps what was typed, and makes nothing', async ({ assert }) => {
    const { admin, app, person, all } = await given()
    const refused = await person.send(`${all}/new`, all, {
      ...{ name: '', members: 'Nobody, admin', maxAgeDays: 'long' },
      ...{ 'ruleType-0': 'Branch', 'ruleBranch-0': '' },
    })
    assert.equal(refused.status, 422)
    for (const id of ['name', 'members']) assert.include(refused.text, `id="${id}-error"`, id)
    assert.include(refused.text, 'Nobody, admin</textarea>')
    assert.include(textOf(refused.text), 'A rule of type Branch needs branch.')
    assert.lengthOf((await admin.get(`/app/${app}/bucket`)).body, 1)
  })

  test('a change keeps what the form shows, and is refused after another change', async ({
    assert,
  }) => {
    const rule = { type: 'Branch', branch: 'release/{version}', fileFilterPatterns: ['*.ipa'] }
    const { admin, path, person, page, done } = await given({
      ...{ rules: [rule], members: [{ name: 'QA', permissionLevel: 'tester' }] },
      automations: [{ enabled: false, config: { maxBuilds: 7 } }],
    })
    const { text } = await person.get(`${page}/edit`)
    const names = [...new Set(attributes(text, 'name'))].filter((name) => !/^_|viewport/.test(name))
    assert.includeMembers(names, ['ruleType-1', 'ruleBranch-0', 'archived', 'maxBuilds'])
    assert.match(text, /name="retentionPaused"\s+value="true"\s+checked/)
    const fields = {
      ...{ name: 'Beta two', members: 'QA, tester', archived: 'true', publicLinkEnabled: 'true' },
      ...{ 'ruleType-0': 'Branch', 'ruleBranch-0': rule.branch, 'ruleFiles-0': '*.ipa' },
      ...{
        'ruleType-1': '',
        'maxBuilds': '7',
        'retentionPaused': 'true',
        '_tag': hiddenIn(text, '_tag'),
      },
    }
    const before = (await admin.get(path)).body
    const changed = await done(`${page}/edit`, `${page}/edit`, fields)
    assert.match(textOf(changed.text), /Changed Beta two\..*Archived: it accepts no more builds/)
    const { body } = await admin.get(path)
    assert.deepEqual(body.rules, before.rules)
    assert.deepEqual(body.automations, before.automations)
    assert.deepEqual([body.name, body.status], ['Beta two', 'archived'])
    const late = await person.post(`${page}/edit`, { ...fields, name: 'Late' })
    assert.equal(late.status, 412)
    assert.include(attributes(late.text, 'value'), 'Late')
    assert.include((await person.get(page.replace(/\/[^/]+$/, ''))).text, '1 bucket archived')
  })

  test('list their builds by page and search, and show how CI uploads', async ({ assert }) => {
    const { upload, person, page, path } = await given()
    for (let index = 0; index < 51; index++) {
      const data = { tags: index === 7 ? ['passkeys'] : [], testerNotes: `No. ${index}` }
      const { status, text } = await upload({ fileName: `Acme-${index}.ipa`, data })
      assert.equal(status, 200, text)
    }
    const files = (html: string) =>
      [...textOf(html).matchAll(/Acme-(\d+)\.ipa, /g)].map(([, number]) => Number(number))
    const first = await person.get(page)
    assert.include(
      textOf(first.text),
      `http://${process.env.HOST}:${process.env.PORT}${path}/build`
    )
    const [more] = attributes(first.text, 'href').filter((each) => each.includes('cursor='))
    const rest = await person.get(more)
    assert.deepEqual(
      [...files(first.text), ...files(rest.text)],
      Array.from({ length: 51 }, (_, index) => 50 - index)
    )
    assert.deepEqual(files((await person.get(`${page}?q=passkeys`)).text), [7])
    assert.include(textOf((await person.get(`${page}?q=none`)).text), 'No build matches.')
  })

  test('a build shows its notes and tags, expires and is deleted after questions', async ({
    assert,
  }) => {
    const { admin, path, upload, person, page, done } = await given()
    const { body: build } = await upload({ data: { testerNotes: 'Log <in>', tags: ['one'] } })
    const at = `${page}/build/${build.id}`
    const shown = await person.get(at)
    assert.include(shown.text, 'Log &lt;in&gt;</textarea>')
    const form = {
      testerNotes: 'Pay',
      tags: 'two words, three\nfour',
      _tag: hiddenIn(shown.text, '_tag'),
    }
    await done(at, at, { ...form, expiresAt: '2031-05-06T09:00', expiresAtBefore: '' })
    const changed = (await admin.get(`${path}/build/${build.id}`)).body
    assert.containsSubset(changed, {
      ...{ testerNotes: 'Pay', expiresAt: '2031-05-06T09:00:00.000Z' },
      tags: ['two words', 'three', 'four'],
    })
    // An unchanged end is not sent.
    const again = { testerNotes: 'Pay', expiresAt: 'x', expiresAtBefore: 'x', tags: 'one' }
    await done(at, at, again)
    assert.equal(
      (await admin.get(`${path}/build/${build.id}`)).body.expiresAt,
      '2031-05-06T09:00:00.000Z'
    )
    const past = await person.post(at, { ...again, expiresAt: 'soon' })
    assert.equal(past.status, 422)
    assert.include(past.text, 'id="expiresAt-error"')

    assert.include(textOf((await person.get(`${at}/expire`)).text), 'Expire Acme.ipa?')
    assert.match(
      textOf((await done(`${at}/expire`, `${at}/expire`)).text),
      /Expired .*its files are deleted/
    )
    const gone = await done(`${at}/delete`, `${at}/delete`)
    assert.equal(gone.location, page)
    assert.equal((await person.get(at)).status, 404)
  })

  test('an install link is made once, shown with its QR code, changed and withdrawn', async ({
    assert,
  }) => {
    const { admin, path, upload, person, page, done } = await given()
    const { body: build } = await upload()
    const form = await person.get(`${page}/installLink/new?build=${build.id}`)
    assert.match(form.text, new RegExp(`value="${build.id}"\\s+selected`))
    const key = hiddenIn(form.text, '_key')
    const fields = { buildDistroBuildId: build.id, email: '', expiresAt: '', _key: key }
    const made = await done(`${page}/installLink/new`, `${page}/installLink`, fields)
    assert.equal((await person.post(`${page}/installLink`, fields)).location, made.location)
    const { body: links } = await admin.get(`${path}/installLink`)
    assert.lengthOf(links.data, 1)
    const [link] = links.data
    assert.include(attributes(made.text, 'value'), link.url)
    assert.match(made.text, /<svg[^>]*aria-label="QR code of the install page"/)
    assert.equal((await person.browser.get(new URL(link.url).pathname)).status, 200)
    assert.match(textOf((await person.get(page)).text), /Acme\.ipa Anyone who has it ends /)

    const wrong = await person.post(`${page}/installLink`, { email: 'nobody@elsewhere.example' })
    assert.equal(wrong.status, 422)
    assert.include(wrong.text, 'id="email-error"')
    const at = made.location
    // An unchanged end keeps its seconds.
    await done(at, at, {
      expiresAt: link.expiresAt.slice(0, 16),
      expiresAtBefore: hiddenIn(made.text, 'expiresAtBefore'),
    })
    assert.equal((await admin.get(`${path}/installLink`)).body.data[0].expiresAt, link.expiresAt)
    const changed = await done(at, at, { expiresAt: '', _tag: hiddenIn(made.text, '_tag') })
    assert.include(textOf(changed.text), 'never ends')
    const ended = await done(`${at}/withdraw`, `${at}/withdraw`)
    assert.equal(ended.location, page)
    assert.equal((await person.get(at)).status, 404)
    assert.equal((await person.browser.get(new URL(link.url).pathname)).status, 410)
  })

  test('offer what the level of the reader in the bucket allows', async ({ assert }) => {
    const found = await given()
    const { world, admin, path, upload, page, all } = found
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const [tester, uploader, stranger] = await Promise.all(
      ['Testers', 'Uploaders', 'Strangers'].map((name) => memberOf(found, name))
    )
    const members = [
      { name: 'Testers', permissionLevel: 'tester' },
      { name: 'Uploaders', permissionLevel: 'uploader' },
    ]
    assert.equal((await admin.patch(path, { members })).status, 200)
    const { body: build } = await upload()
    outliveTags()
    const seen = async (person: typeof tester) => {
      const { status, text } = await person.get(page)
      if (status !== 200) return { status }
      const [hrefs, ofBuild, ofAll] = [
        text,
        (await person.get(`${page}/build/${build.id}`)).text,
        (await person.get(all)).text,
      ].map((html) => attributes(html, 'href'))
      return {
        status,
        links: hrefs.includes(`${page}/installLink/new`),
        edit: hrefs.includes(`${page}/edit`),
        make: ofAll.includes(`${all}/new`),
        expire: ofBuild.includes(`${page}/build/${build.id}/expire`),
        new: (await person.get(`${page}/installLink/new`)).status,
      }
    }
    const none = { links: false, edit: false, make: false, expire: false, new: 403 }
    assert.deepEqual(await seen(tester), { status: 200, ...none })
    assert.deepEqual(await seen(uploader), { status: 200, ...none, links: true, new: 200 })
    assert.deepEqual(await seen(stranger), { status: 404 })
  })
})
