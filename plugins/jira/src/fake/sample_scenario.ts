import type { Scenario } from '@tarmac/plugin-kit/testing'

/** Returns a project with two open issues and one that is done, to try the service with. */
export function sampleScenario(): Scenario {
  const issue = (number: number, title: string, status: string, versions: string[] = []) => ({
    ...{ key: `SHOP-${number}`, project: 'SHOP', title, status, labels: [], versions },
  })
  return {
    issueTracking: {
      statuses: [
        { name: 'To Do', done: false },
        { name: 'In Review', done: false },
        { name: 'Released to testers', done: true },
      ],
      tickets: [
        issue(1, 'Pay by card', 'Released to testers', ['1.2.0']),
        issue(2, 'Show the basket', 'In Review'),
        issue(3, 'Log in', 'To Do'),
      ],
      versions: [],
    },
  }
}
