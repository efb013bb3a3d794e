import { test } from '@japa/runner'
import { exampleOverview } from '#insights/examples'
import type { PageCall, Reader } from '../../frame/page.js'
import { exampleReader } from '../../tests/example_reader.js'
import { appsOf, type OverviewApp } from '../overview.js'
import { chooseAppView, homeView, turnView } from '../view.js'

const [exampleApp] = exampleOverview().data as unknown as OverviewApp[]

/** Returns apps that each wait for somebody who may edit releases. */
const appsNamed = (count: number): OverviewApp[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `App ${index}`
    const [step] = exampleApp.release!.steps
    const unmet = [{ ...step.unmet[0], who: [{ type: 'userAction', name: 'EditRelease' }] }]
    const steps = [{ ...step, status: 'inProgress', required: true, hidden: false, unmet }]
    const release = { ...exampleApp.release!, status: 'active', steps }
    return { ...exampleApp, id: `app-${index}`, name, release } as unknown as OverviewApp
  })

const baseUrl = 'https://tarmac.acme.example'

const homeOf = (apps: OverviewApp[], query = {}, reader: Reader = exampleReader) =>
  homeView({ apps, baseUrl }, { reader, query })

test.group('The view of Home', () => {
  test('counts all apps, and lists them in pages', ({ assert }) => {
    const apps = appsNamed(203)
    const first = homeOf(apps)
    assert.deepEqual([first.brief, first.tabs[0].count], ['203 are waiting for you', 203])
    assert.deepEqual([first.rows.length, first.moreTurns?.text], [200, 'and 200 more'])
    const [, query] = first.more!.split('?')
    const second = homeOf(apps, Object.fromEntries(new URLSearchParams(query)))
    assert.deepEqual(
      second.rows.map(({ name }) => name),
      ['App 200', 'App 201', 'App 202']
    )
    assert.isNull(second.more)
    assert.lengthOf(turnView({ apps, baseUrl }, { reader: exampleReader }).turns, 203)
    // The next page has the same filter.
    assert.include(homeOf(apps, { show: 'turn' }).more, 'show=turn&page=2')
    assert.lengthOf(homeOf(apps, { page: 'x' }).rows, 200)
  })

  test('counts what waits for the reader in singular and plural', ({ assert }) => {
    const briefOf = (count: number) =>
      turnView({ apps: appsNamed(count), baseUrl }, { reader: exampleReader }).brief
    assert.equal(briefOf(0), 'Nothing is waiting for you.')
    assert.equal(briefOf(1), '1 is waiting for you or your groups, oldest first.')
    assert.equal(briefOf(2), '2 are waiting for you or your groups, oldest first.')
  })

  test('offers to plan the first release of an app to those who may', ({ assert }) => {
    const apps = [{ ...exampleApp, id: 'app-1', release: null }]
    const planOf = (may: boolean) => {
      const [row] = homeOf(apps, {}, { ...exampleReader, may: () => may }).rows
      return row.plan
    }
    assert.equal(planOf(true), '/dashboard/app/app-1/release/new')
    assert.isNull(planOf(false))
    // Not beside a release that is under way.
    assert.isNull(homeOf(appsNamed(1)).rows[0].plan)
  })

  test('links to a new release of the only app, or to a choice of apps', ({ assert }) => {
    const reader = { ...exampleReader, may: () => true }
    const { organization } = reader.principal
    const one = '/dashboard/app/app-0/release/new'
    assert.equal(homeOf(appsNamed(1), {}, reader).plan, one)
    const chosen = `/dashboard/org/${organization.id}/release/new`
    assert.equal(homeOf(appsNamed(2), {}, reader).plan, chosen)
    assert.isNull(homeOf(appsNamed(2), {}, { ...reader, may: () => false }).plan)
    assert.isNull(homeOf([], {}, reader).plan)
    const { rows } = chooseAppView(appsNamed(2), { params: { orgId: organization.id } })
    assert.deepEqual(
      rows.map(({ name, href }) => [name, href]),
      [
        ['App 0 iOS', one],
        ['App 1 iOS', '/dashboard/app/app-1/release/new'],
      ]
    )
  })

  test('shows the steps to a first app to those who may take them', ({ assert }) => {
    const { beginning } = homeOf([])
    const lines = beginning!.ways.map((way) => way.lines).join('\n')
    assert.include(lines, `${baseUrl}/org/org_acme/app/config`)
    assert.deepEqual(
      beginning!.ways.map(({ link }) => link!.href),
      ['integration/connect', 'app/new', 'apiKey/new'].map(
        (path) => `/dashboard/org/org_acme/${path}`
      )
    )
    const guest = homeOf([], {}, { ...exampleReader, may: () => false })
    assert.deepEqual(guest.beginning!.ways, [])
    assert.isNull(homeOf(appsNamed(1)).beginning)
  })
})

test.group('All apps of an overview', () => {
  test('are read page by page until there are no more', async ({ assert }) => {
    const pages = [appsNamed(2), appsNamed(1), []]
    const asked: unknown[] = []
    const ask = async (_: string, { query }: { query: { cursor?: string } }) => {
      asked.push(query.cursor)
      const at = Number(query.cursor ?? 0)
      const nextCursor = at + 1 < pages.length ? String(at + 1) : null
      return { body: { data: pages[at], pagination: { nextCursor } }, etag: '' }
    }
    const apps = await appsOf({ ask, reader: exampleReader } as unknown as PageCall)
    assert.deepEqual(asked, [undefined, '1', '2'])
    assert.lengthOf(apps, 3)
  })
})
