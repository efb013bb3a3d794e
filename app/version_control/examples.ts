import { GRACE } from '#organizations/examples'
import { COMMIT } from '#releases/examples'

const pagination = { limit: 50, hasMore: false, nextCursor: null }

export const exampleTagPage = {
  data: [
    {
      name: 'v4.1.0',
      commitHash: '5b0d2f8c1e7a4936b8d0c2f5e9a17346d8b2c0f1',
      version: '4.1.0',
      createdAt: '2026-10-27T14:05:00.000Z',
      url: null,
    },
  ],
  pagination,
}

export const exampleCandidatePage = {
  data: [
    {
      hash: COMMIT,
      shortHash: COMMIT.slice(0, 8),
      message: 'Passkeys survive a reinstall',
      author: { name: GRACE.name, email: GRACE.email },
      committedAt: '2026-11-17T10:12:00.000Z',
      url: null,
      pullRequest: null,
      alreadyInRelease: false,
    },
  ],
  pagination,
}
