import {
  count,
  entity,
  flag,
  instant,
  nonEmpty,
  nullable,
  object,
  text,
  url,
} from '#foundation/core/schemas'

export const CherryPickCandidateCommit = entity(
  'CherryPickCandidateCommit',
  'A commit that a release or tag lacks.',
  {
    hash: nonEmpty('Hash of the commit.', 64),
    shortHash: nonEmpty('Abbreviated hash of the commit.', 12),
    message: text('Full message of the commit.', 65_536),
    author: object('Author of the commit.', {
      name: text('Author name in the commit.', 500),
      email: nullable(text('E-mail address in the commit; null if none.', 500)),
    }),
    committedAt: instant('When it was committed, in UTC.'),
    url: nullable(url('URL of the commit; null if it has no page.')),
    pullRequest: nullable(
      object('Pull request it came from; null if none is known.', {
        number: count('Number of the pull request.'),
        title: text('Title of the pull request.', 1000),
        url: nullable(url('URL of the pull request; null if it has no page.')),
      })
    ),
    alreadyInRelease: flag(
      'Whether it was picked before, according to the message of a picked commit.'
    ),
  }
)
