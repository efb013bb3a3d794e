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
  'A commit that a release or a tag has not.',
  {
    hash: nonEmpty('Hash of the commit.', 64),
    shortHash: nonEmpty('The first of it, as people write it.', 12),
    message: text('Its message, the whole of it.', 65_536),
    author: object('Who wrote it.', {
      name: text('Name as the commit has it.', 500),
      email: nullable(text('E-mail address as the commit has it; null without one.', 500)),
    }),
    committedAt: instant('When it was committed, in UTC.'),
    url: nullable(url('Address of the commit; null if version control has no page for it.')),
    pullRequest: nullable(
      object('Pull request that brought it; null if none is known.', {
        number: count('Its number.'),
        title: text('Its title.', 1000),
        url: nullable(url('Its address; null if it has no page.')),
      })
    ),
    alreadyInRelease: flag('Whether it was picked before, by what the picked commit says.'),
  }
)
