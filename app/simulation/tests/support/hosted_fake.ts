import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  REPOSITORY,
  seedRepository,
  shownRepository,
} from '#integrations/providers/git/tests/support/git_fake'
import { TestRepository } from '#integrations/providers/git/tests/support/repositories'
import type { Scenario } from '#plugin-kit/fake/scenario'
import { NO_REQUESTS } from '#simulated-providers/hosted_requests'
import { WorldFake } from './world_fake.js'

/**
 * The git host of a world over a folder with a real repository, as a fake for the conformance
 * suite.
 */
export class HostedFake extends WorldFake {
  #repository: TestRepository

  constructor(private readonly folder: string) {
    super()
    this.#repository = this.#empty()
  }

  override seed(scenario: Scenario): void {
    super.seed(scenario)
    const { versionControl } = scenario
    if (!versionControl) return
    this.#repository = this.#empty()
    seedRepository(this.#repository, versionControl)
    const refs = this.#repository.refs()
    const requests = versionControl.pulls.map((pull) => ({
      ...pull,
      sha: refs.get(`refs/heads/${pull.head}`) ?? pull.sha,
      ...{ body: '', commits: [], openedAt: 0, key: null },
    }))
    this.world = { ...this.world, hosted: { [REPOSITORY]: { ...NO_REQUESTS, requests } } }
  }

  override state(): Scenario {
    const { requests, statuses } = this.world.hosted[REPOSITORY] ?? NO_REQUESTS
    const pulls = requests.map(({ number, title, head, base, sha, state }) => ({
      ...{ number, title, head, base, sha, state },
    }))
    const code = { ...shownRepository(this.#repository), pulls, statuses: [...statuses] }
    return { ...super.state(), versionControl: code }
  }

  #empty(): TestRepository {
    const path = join(this.folder, REPOSITORY)
    rmSync(path, { recursive: true, force: true })
    return new TestRepository(path)
  }
}
