import type { TestManagement, TestRun } from '#plugin-kit/capabilities/work'
import type { Page, PluginContext } from '#plugin-kit/context'
import { pageOf } from '../shared/world_pages.js'

/** A run in answers of a world, with the world's own names for results of tests. */
interface WorldTestRun {
  id: string
  name: string
  closed: boolean
  counts: Record<string, number>
}

interface WorldResult {
  id: string
  title: string
  status: string
  assignee: string | null
}

const STATUSES = ['passed', 'failed', 'blocked', 'untested', 'skipped'] as const

/** Test management of a simulated world. */
export default class SimulatedTestManagement implements TestManagement {
  constructor(private readonly ctx: PluginContext) {}

  async findRuns(keywords: string[], version: string, cursor?: string): Promise<Page<TestRun>> {
    const { project } = this.ctx.data
    const projectName = typeof project === 'string' ? project : undefined
    const query = { keyword: keywords, version, project: projectName, cursor }
    const page = await pageOf<WorldTestRun>(this.ctx, { path: '/v1/tests/runs', query })
    return { ...page, items: page.items.map(runOf) }
  }

  async getRun(id: string): Promise<TestRun | null> {
    const { status, body } = await this.ctx.http.send<WorldTestRun>({
      method: 'GET',
      path: '/v1/tests/runs/{id}',
      params: { id },
      expect: [404],
    })
    return status === 404 ? null : runOf(body)
  }

  async listResults(id: string, cursor?: string) {
    const at = { path: '/v1/tests/runs/{id}/results', params: { id }, query: { cursor } }
    const page = await pageOf<WorldResult>(this.ctx, at)
    const items = page.items.map(({ id: result, title, status, assignee }) => ({
      ...{ id: result, title, status },
      ...(assignee === null ? {} : { assignee }),
    }))
    return { ...page, items }
  }
}

/** An unknown status counts as untested. */
function runOf({ id, name, closed, counts }: WorldTestRun): TestRun {
  const known = Object.fromEntries(STATUSES.map((status) => [status, counts[status] ?? 0]))
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const others = all - Object.values(known).reduce((sum, count) => sum + count, 0)
  const reported = { ...known, untested: known.untested + others } as TestRun['counts']
  return { id, name, closed, counts: reported }
}
