import type { StoreType } from '#stores/vocabulary'
import type { Status, StoreState } from './store_states.js'

/*
 * The outcome of every operation on a rollout, by the state of its release and of its store: a word
 * of `REFUSALS`, or one of these. With a slash: without force, and with it.
 *
 * ok: decided, and not yet reported as done
 * same: it is so already, and nothing is written
 * held: by the red button: automations are paused, and nothing could go out or be stopped
 * left: with a warning about the version in the store
 * asks: recorded, and a person is asked about it at once
 *
 * States with equal outcomes share a row; those after a semicolon are tried only in the long run.
 * `pause` stands for `halt` as well, `more` and `less` set a share above and below the present one,
 * and `end` completes the release by hand. A release whose automations are paused answers like an
 * active one.
 */

interface Refusal {
  code: string
  /** Matches the refusal's text: the reason, and the possible alternatives. */
  says: RegExp
}

export const REFUSALS: Record<string, Refusal> = {
  more: { code: 'steps_incomplete', says: /required steps.*force/ },
  busy: {
    code: 'store_busy',
    says: /A request for .* to be (submitted|withdrawn|released) is under way .*Wait/,
  },
  sent: {
    code: 'release_submitted',
    says: /submitted.*(Withdraw|another release|stays on record)/,
  },
  noap: { code: 'not_approved', says: /not approved/ },
  norv: { code: 'not_in_review', says: /no review|has no version/ },
  none: { code: 'rollout_not_running', says: /(rollout|all users)/ },
  down: { code: 'rollout_only_grows', says: /at 10 %.*halt/i },
  appl: { code: 'rollout_by_store', says: /automatically.*complete/i },
  stop: { code: 'rollout_stopped', says: /(halted|stopped).*resume/i },
  only: { code: 'rollout_no_predecessor', says: /hotfix/ },
  rung: { code: 'ladder_changed', says: /20 %.*2 %.*force=true.*ship another version/ },
  live: {
    code: 'release_live',
    says: /(Withdraw it or stop it.*force=true|skip the release instead)/,
  },
  done: { code: 'release_completed', says: /is completed/ },
  skip: { code: 'release_skipped', says: /is skipped.*(Un-skip it|anything of it)/ },
  idle: { code: 'release_not_kicked_off', says: /not kicked off|upcoming/ },
  not: { code: 'release_not_skipped', says: /is (active|upcoming)/ },
}

export const COLUMNS = [
  ...['submit', 'takeoff', 'withdraw', 'pause', 'resume', 'complete', 'more', 'less'],
  ...['redButton', 'skip', 'end', 'delete', 'unskip'],
] as const
export type Column = (typeof COLUMNS)[number]

const APPLE = {
  active: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  nothing     more/ok noap    norv     none  none   none     none none held      ok        ok        ok     not
  prepared,readyForReview,invalidBinary,developerRejected :
              more/ok noap    norv     none  none   none     none none held      ok        ok        ok     not
  unsent,submitRefused :
              more/ok noap    norv     ok    none   none     none none ok        ok        ok        ok     not
  unknown     more/asks noap  norv     none  none   none     none none held      ok        ok        ok     not
  submitting  busy busy busy ok none none none none ok left left live not
  waiting     sent noap ok ok none none none none ok live/left live/left sent not
  inReview,submitQuestion :
              sent noap ok ok none none none none ok live/left live/left sent not
  automatic   sent    noap    ok       ok    none   none     none none ok        live/left live/left sent   not
  rejected,metadataRejected,phasedRejected :
              more/ok noap    norv     none  none   none     none none held      ok        ok        sent   not
  withdrawing busy busy busy ok none none none none ok live/left live/left sent not
  approved,takeoffRefused :
              sent ok ok ok none none none none ok live/left live/left sent not
  scheduled   sent    ok      ok       ok    none   none     none none ok        live/left live/left sent   not
  processing  sent    ok      norv     ok    none   none     none none ok        live/left live/left sent   not
  takingOff   busy    same    busy     ok    none   none     none none ok        live/left live/left sent   not
  active,growthRefused :
              sent    same    norv     ok    ok     ok       appl appl ok        live/left live/left sent   not
  growing     sent    same    norv     ok    ok     same     appl appl ok        live/left live/left sent   not
  stopping    sent    same    norv     same  ok     ok       appl appl ok        live/left live/left sent   not
  stopped     sent    same    norv     ok    ok     ok       appl appl ok        live/left live/left sent   not
  removed     sent    same    norv     none  none   none     none none held      ok        ok        sent   not`,
  completed: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  nothing;unknown :
              done    done    norv     none  none   none     none none done      done      same      done   done
  ;unsent,submitRefused :
              done    done    norv     ok    none   none     none none ok        done      same      done   done
  prepared;readyForReview,invalidBinary,developerRejected :
              done    done    norv     none  none   none     none none done      done      same      done   done
  submitting  done done norv ok none none none none ok done same done done
  waiting     done done ok ok none none none none ok done same done done
  inReview;submitQuestion :
              done done ok ok none none none none ok done same done done
  automatic;scheduled :
              done    done    ok       ok    none   none     none none ok        done      same      done   done
  rejected;metadataRejected,phasedRejected :
              done    done    norv     none  none   none     none none done      done      same      done   done
  withdrawing done done busy ok none none none none ok done same done done
  approved;takeoffRefused :
              done done ok ok none none none none ok done same done done
  ;processing done    done    norv     ok    none   none     none none ok        done      same      done   done
  takingOff   done    done    ok       ok    none   none     none none ok        done      same      done   done
  active;growthRefused :
              done    done    norv     ok    ok     ok       appl appl ok        done      same      done   done
  growing     done    done    norv     ok    ok     ok       appl appl ok        done      same      done   done
  stopping    done    done    norv     same  ok     ok       appl appl ok        done      same      done   done
  stopped     done    done    norv     ok    ok     ok       appl appl ok        done      same      done   done
  whole       done    done    norv     none  none   none     none none none      done      same      done   done
  replaced;removed :
              done    done    norv     none  none   none     none none none      done      same      done   done`,
  skipped: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  nothing;unknown :
              skip    skip    norv     none  skip   skip     skip skip skip      same      skip      ok     ok
  ;unsent,submitRefused :
              skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      ok     ok
  prepared;readyForReview,invalidBinary,developerRejected :
              skip    skip    norv     none  skip   skip     skip skip skip      same      skip      ok     ok
  submitting  skip skip norv ok skip skip skip skip ok same skip live ok
  waiting     skip skip ok ok skip skip skip skip ok same skip sent ok
  inReview;submitQuestion :
              skip skip ok ok skip skip skip skip ok same skip sent ok
  automatic;scheduled :
              skip    skip    ok       ok    skip   skip     skip skip ok        same      skip      sent   ok
  rejected;metadataRejected,phasedRejected :
              skip    skip    norv     none  skip   skip     skip skip skip      same      skip      sent   ok
  withdrawing skip skip busy ok skip skip skip skip ok same skip sent ok
  approved;takeoffRefused :
              skip skip ok ok skip skip skip skip ok same skip sent ok
  takingOff   skip    skip    ok       ok    skip   skip     skip skip ok        same      skip      sent   ok
  active;growthRefused,processing :
              skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  growing     skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  stopping    skip    skip    norv     same  skip   skip     skip skip ok        same      skip      sent   ok
  stopped     skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  whole       skip    skip    norv     none  skip   skip     skip skip none      same      skip      sent   ok
  replaced;removed :
              skip    skip    norv     none  skip   skip     skip skip none      same      skip      sent   ok`,
  upcoming: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  nothing     idle    noap    norv     none  none   none     none none held      ok        idle      ok     not
  ;unsent     idle    noap    norv     ok    none   none     none none ok        ok        idle      ok     not
  prepared;readyForReview,invalidBinary,developerRejected,unknown :
              idle    noap    norv     none  none   none     none none held      ok        idle      ok     not
  inReview;waiting :
              idle noap ok ok none none none none ok live/left idle sent not
  ;automatic  idle    noap    ok       ok    none   none     none none ok        live/left idle      sent   not
  ;rejected,metadataRejected,phasedRejected :
              idle    noap    norv     none  none   none     none none held      ok        idle      sent   not
  ;withdrawing :
              idle busy busy ok none none none none ok live/left idle sent not
  approved;takeoffRefused :
              idle ok ok ok none none none none ok live/left idle sent not
  ;scheduled  idle    ok      ok       ok    none   none     none none ok        live/left idle      sent   not
  ;processing idle    ok      norv     ok    none   none     none none ok        live/left idle      sent   not
  ;takingOff  idle    same    busy     ok    none   none     none none ok        live/left idle      sent   not
  active;growthRefused :
              idle    same    norv     ok    ok     ok       appl appl ok        live/left idle      sent   not
  ;growing    idle    same    norv     ok    ok     same     appl appl ok        live/left idle      sent   not
  ;stopping   idle    same    norv     same  ok     ok       appl appl ok        live/left idle      sent   not
  stopped     idle    same    norv     ok    ok     ok       appl appl ok        live/left idle      sent   not
  whole       idle    same    norv     none  none   none     none none held      live/left idle      sent   not`,
}

/**
 * Differences of Google Play: it sets shares, halts complete releases, and serves the previous
 * version.
 */
const GOOGLE = {
  active: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  approved,scheduled :
              sent    ok      norv     ok    none   none     none none ok        live/left live/left sent   not
  laddered    sent    rung/ok norv     ok    none   none     none none ok        live/left live/left sent   not
  active,growthRefused :
              sent    same    norv     ok    ok     ok       ok   down ok        live/left live/left sent   not
  growing     sent    same    norv     ok    ok     ok       ok   down ok        live/left live/left sent   not
  stopping    sent    same    norv     same  ok     ok       stop stop ok        live/left live/left sent   not
  stopped,growthQuestion :
              sent    same    norv     ok    ok     ok       stop stop ok        live/left live/left sent   not`,
  completed: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  approved,laddered;scheduled :
              done    done    norv     ok    none   none     none none ok        done      same      done   done
  takingOff   done    done    norv     ok    none   none     none none ok        done      same      done   done
  active;growthRefused :
              done    done    norv     ok    ok     ok       ok   down ok        done      same      done   done
  growing     done    done    norv     ok    ok     ok       ok   down ok        done      same      done   done
  stopping    done    done    norv     same  ok     ok       stop stop ok        done      same      done   done
  stopped;growthQuestion :
              done    done    norv     ok    ok     ok       stop stop ok        done      same      done   done
  whole,wholeSince :
              done    done    norv     ok    none   none     none none ok        done      same      done   done
  first       done    done    norv     only  none   none     none none only      done      same      done   done
  takenBack   done    done    norv     ok    ok     ok       ok   ok   ok        done      same      done   done`,
  skipped: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  approved,laddered;scheduled :
              skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  takingOff   skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  whole,wholeSince;growthQuestion :
              skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok
  takenBack   skip    skip    norv     ok    skip   skip     skip skip ok        same      skip      sent   ok`,
  upcoming: `
              submit  takeoff withdraw pause resume complete more less redButton skip      end       delete unskip
  approved;scheduled :
              idle    ok      norv     ok    none   none     none none ok        live/left idle      sent   not
  active;growthRefused,growing :
              idle    same    norv     ok    ok     ok       ok   down ok        live/left idle      sent   not
  ;stopping   idle    same    norv     same  ok     ok       stop stop ok        live/left idle      sent   not
  stopped;growthQuestion :
              idle    same    norv     ok    ok     ok       stop stop ok        live/left idle      sent   not
  whole;wholeSince :
              idle    same    norv     ok    none   none     none none ok        live/left idle      sent   not
  ;first      idle    same    norv     only  none   none     none none held      live/left idle      sent   not
  ;takenBack  idle    same    norv     ok    ok     ok       ok   ok   ok        live/left idle      sent   not`,
}

/** States in which automations would act if they were not paused. */
const HELD: readonly StoreState[] = ['nothing', 'inReview', 'approved', 'active', 'stopped']

/**
 * States that only the App Store has: Google Play is not called for a takeoff, and so refuses none.
 */
const OF_APPLE: readonly StoreState[] = ['takeoffRefused']

type Rows = Map<StoreState, Record<Column, string>>

function rowsOf(text: string, isLong: boolean): Rows {
  // Long lists of states are on a line above their row.
  const [, ...lines] = text.trim().replaceAll(' :\n', ' ').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [names, ...cells] = line.trim().split(/\s+/)
      const row = Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]]))
      const [usual, long = ''] = names.split(';')
      const states = `${usual},${isLong ? long : ''}`.split(',').filter((each) => each !== '')
      return states.map((state) => [state as StoreState, row as Record<Column, string>] as const)
    })
  )
}

/**
 * Returns the rows of a store by the status of the release. The usual run tests Google Play only
 * where it differs from the App Store.
 * @param isLong whether to add the rows of the long run
 */
export function tableOf(type: StoreType, isLong: boolean): Record<Status, Rows> {
  const rowsIn = (status: keyof typeof APPLE): Rows => {
    if (type === 'apple') return rowsOf(APPLE[status], isLong)
    const alike = isLong ? rowsOf(APPLE[status], isLong) : new Map()
    for (const state of OF_APPLE) alike.delete(state)
    return new Map([...alike, ...rowsOf(GOOGLE[status], isLong)])
  }
  const active = rowsIn('active')
  const onHold = new Map([...active].filter(([state]) => isLong || HELD.includes(state)))
  return {
    active,
    onHold,
    completed: rowsIn('completed'),
    skipped: rowsIn('skipped'),
    upcoming: rowsIn('upcoming'),
  }
}

/**
 * The calls to a store that an operation leads to; a dash for none. A stop of an unreleased version
 * waits until it is out, and a takeoff at Google Play for a person in the console.
 */
export const ASKED = {
  apple: `
  nothing     submit!   prepare 1.4.0 with 4711, submit
  rejected    submit!   prepare 1.4.0 with 4711, submit
  submitting  skip      -
  submitting  end       -
  inReview    withdraw  cancelReview
  inReview    skip!     -
  inReview    redButton waits
  approved    withdraw  cancelReview
  approved    takeoff   release
  approved    end!      -
  withdrawing skip!     cancelReview
  takingOff   skip!     -
  takingOff   pause     waits
  takingOff   redButton waits
  active      pause     setRollout pause
  active      redButton setRollout pause
  active      resume    -
  active      complete  setRollout complete
  active      skip!     -
  growing     pause     setRollout pause
  growing     skip!     -
  growing     end!      -
  stopping    pause     setRollout pause
  stopping    skip!     setRollout pause
  stopping    end!      setRollout pause
  stopped     pause     -
  stopped     redButton -
  stopped     resume    setRollout resume
  stopped     complete  setRollout complete`,
  google: `
  nothing     submit!   prepare 1.4.0 with 4711, submit
  inReview    withdraw  cancelReview
  laddered    takeoff!  waits
  takingOff   skip!     -
  active      pause     setRollout halt
  active      redButton setRollout halt
  active      more      setRollout 0.75
  active      complete  setRollout complete
  active      end!      -
  growing     redButton setRollout halt
  growing     complete  setRollout complete
  growing     skip!     -
  stopping    redButton setRollout halt
  stopping    skip!     setRollout halt
  stopped     redButton -
  stopped     resume    setRollout resume
  whole       pause     setRollout halt
  whole       redButton setRollout halt
  takenBack   redButton -
  takenBack   resume    setRollout resume
  takenBack   more      setRollout 0.75`,
}
