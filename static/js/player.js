/**
 * The player: a cursor on the steps and one clock. It draws nothing and knows nothing of scenes.
 *
 * `show(k, fraction, settled)`: `fraction` of step k has happened (1: all of it). Backwards it shows the same in
 * reverse.
 */

/** How long one step moves, in milliseconds at normal speed, and how long the pause after it is for reading. */
export const MOVE = 600;
export const REST = 1300;
export const SPEEDS = [0.25, 0.5, 1, 2, 4];

/**
 * @param {{show: (k: number, fraction: number, settled: boolean) => void, changed: () => void, still: () => boolean}} on
 * `changed` is called when cursor, speed or playing changed; `still` says that motion is not wanted.
 */
export function player(on) {
  let held = 0;
  let goal = 0;
  let at = 0;
  let wanted = null;
  let playing = false;
  let speed = 1;
  let over = false;
  let rest = 0;
  let last = 0;
  let ticking = 0;

  const clamp = (k) => Math.max(0, Math.min(held, k));

  function draw() {
    const k = Math.ceil(at);
    on.show(k, k === 0 ? 1 : at - (k - 1), at === goal);
  }

  function tick(now) {
    // A frame's time may be before the click that asked for it.
    const passed = Math.max(0, Math.min(now - last, 100));
    last = now;
    ticking = 0;
    if (at !== goal) {
      const reach = (passed / MOVE) * Math.max(speed, 1) * (playing && speed < 1 ? speed : 1);
      at = at < goal ? Math.min(goal, at + reach) : Math.max(goal, at - reach);
      draw();
    } else if (playing) {
      rest += passed * speed;
      if (rest >= REST) {
        if (goal < held) advance(goal + 1);
        else if (over) pause();
      }
    }
    wind();
  }

  function wind() {
    if (ticking || (at === goal && !playing)) return;
    if (!last) last = performance.now();
    ticking = requestAnimationFrame(tick);
  }

  /** Move the cursor to k: through the step if it is the next one, at once if it is far. */
  function advance(k) {
    const next = clamp(k);
    rest = 0;
    if (next === goal) return;
    const near = Math.abs(next - goal) === 1 && !on.still();
    // A second click does not wait: the current motion is finished, and the new step begins.
    at = near ? goal : next;
    goal = next;
    draw();
    on.changed();
    last = performance.now();
    wind();
  }

  function pause() {
    if (!playing) return;
    playing = false;
    on.changed();
  }

  return {
    get cursor() {
      return goal;
    },
    get held() {
      return held;
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    get over() {
      return over;
    },
    /** More steps can be shown. */
    grow(count) {
      held = count;
      if (wanted !== null && held >= wanted) {
        const k = wanted;
        wanted = null;
        advance(k);
      }
      on.changed();
      wind();
    },
    /** No more steps will come. */
    end() {
      over = true;
      if (wanted !== null) this.seek(held);
      on.changed();
    },
    play() {
      if (over && goal === held) this.seek(0);
      playing = true;
      rest = REST;
      last = performance.now();
      on.changed();
      wind();
    },
    pause,
    toggle() {
      if (playing) pause();
      else this.play();
    },
    forward() {
      pause();
      const next = (wanted ?? goal) + 1;
      if (next > held && !over) wanted = next;
      else advance(next);
    },
    back() {
      wanted = null;
      pause();
      advance(goal - 1);
    },
    first() {
      pause();
      this.seek(0);
    },
    last() {
      pause();
      this.seek(held);
      if (!over) wanted = Infinity;
    },
    /** Go to step k at once; if it has not arrived yet, as soon as it does. */
    seek(k) {
      if (k > held && !over) wanted = k;
      else wanted = null;
      const next = clamp(k);
      rest = 0;
      at = next;
      const moved = next !== goal;
      goal = next;
      draw();
      if (moved) on.changed();
    },
    pace(value) {
      speed = value;
      on.changed();
    },
    /** Draw again, for example after the window was resized. */
    draw,
  };
}
