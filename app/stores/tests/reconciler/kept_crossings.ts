import type { Kept } from './kept_interleavings.js'

/** The same of calls that cross what somebody does in the console. */
export const KEPT_CROSSINGS: readonly Kept[] = [
  {
    name: 'Growth in the console that a stop of ours took back stands as no decision',
    seed: 707246,
    steps: [
      {
        do: 'decideExactly',
        decision: {
          version: '1.1.0',
          by: 'person',
          what: 'submit',
          buildNumber: '110',
          phased: true,
          release: 'auto',
        },
      },
      { do: 'calm', milliseconds: 25200000 },
      { do: 'pass', milliseconds: 19 },
      { do: 'decideExactly', decision: { version: '1.1.0', what: 'halt', by: 'person' } },
      { do: 'calm', milliseconds: 2613992 },
      { do: 'pass', milliseconds: 20 },
      { do: 'decideExactly', decision: { version: '1.1.0', what: 'halt', by: 'person' } },
      { do: 'credentials', chance: 2975633109 },
      { do: 'read', chance: 4125677362 },
      { do: 'readEnd', chance: 2239787797 },
      { do: 'pass', milliseconds: 0 },
      { do: 'consoleExactly', deed: { what: 'resume', version: '1.1.0' } },
      { do: 'beginStop', chance: 1427963534 },
      { do: 'pass', milliseconds: 0 },
      { do: 'decideExactly', decision: { version: '1.1.0', what: 'complete', by: 'person' } },
      { do: 'pass', milliseconds: 8 },
      { do: 'decideExactly', decision: { version: '1.1.0', what: 'close', by: 'person' } },
    ],
  },
  {
    name: 'A stop of what was given to all users of the App Store in the console asks people',
    seed: 707791,
    steps: [
      {
        do: 'decideExactly',
        decision: {
          version: '1.1.0',
          by: 'person',
          what: 'submit',
          buildNumber: '110',
          phased: true,
          release: 'auto',
        },
      },
      { do: 'calm', milliseconds: 25200000 },
      { do: 'pass', milliseconds: 5 },
      { do: 'consoleExactly', deed: { what: 'complete', version: '1.1.0' } },
      { do: 'pass', milliseconds: 9 },
      { do: 'decideExactly', decision: { version: '1.1.0', what: 'pause', by: 'person' } },
      { do: 'read', chance: 913685041 },
    ],
  },
]
