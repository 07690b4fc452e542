// Draws the videos of the home page: node tools/assets/make-videos.mjs. Needs Chromium and ffmpeg. The
// repository has the files, so no build runs this. The motif is a lattice of eight-pointed stars
// after Hankin: from the middle of each side of octagons and squares two lines run inwards at one
// angle. While the angle changes, one pattern turns into another and back. FRAMES=folder stores
// single frames.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { ensureProgram } from '../../scripts/programs.mjs';

const folder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'web/public/videos');

/** Runs in the page: draws a frame, by the time from 0 to 1. */
function drawing() {
  const gold = [146, 114, 42];
  const ground = '#faf9f6';
  const ease = (x) => {
    const t = Math.min(1, Math.max(0, x));
    return t * t * (3 - 2 * t);
  };
  const rgba = (alpha) => `rgba(${gold.join(',')},${alpha})`;

  /**
   * The lines of a regular polygon: the middle of each side sends two, which end where they meet
   * those of the neighbouring sides.
   */
  function hankin(corners, angle) {
    const count = corners.length;
    const middles = corners.map(([x, y], index) => {
      const [u, v] = corners[(index + 1) % count];
      return [(x + u) / 2, (y + v) / 2, Math.atan2(v - y, u - x)];
    });
    return middles.map(([x, y, along], index) => {
      const [u, v, next] = middles[(index + 1) % count];
      const a = along + angle;
      const b = next + Math.PI - angle;
      const det = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b);
      const s = ((u - x) * Math.sin(b) - (v - y) * Math.cos(b)) / det;
      return [
        [x, y],
        [x + s * Math.cos(a), y + s * Math.sin(a)],
        [u, v],
      ];
    });
  }

  function octagon(x, y, side) {
    const radius = side / (2 * Math.sin(Math.PI / 8));
    return Array.from({ length: 8 }, (_, k) => [
      x + radius * Math.cos(((2 * k + 1) * Math.PI) / 8),
      y + radius * Math.sin(((2 * k + 1) * Math.PI) / 8),
    ]);
  }
  function diamond(x, y, side) {
    const radius = side / Math.SQRT2;
    return Array.from({ length: 4 }, (_, k) => [
      x + radius * Math.cos((k * Math.PI) / 2),
      y + radius * Math.sin((k * Math.PI) / 2),
    ]);
  }

  /**
   * Calls `paint` with the position of each octagon and square of the window, from the middle
   * outwards.
   */
  function tiles(width, height, step, paint) {
    const side = step / (1 + Math.SQRT2);
    const columns = Math.ceil(width / step / 2) + 1;
    const rows = Math.ceil(height / step / 2) + 1;
    for (let i = -columns; i <= columns; i += 1) {
      for (let j = -rows; j <= rows; j += 1) {
        const x = width / 2 + i * step;
        const y = height / 2 + j * step;
        paint(octagon(x, y, side), x, y, i, j);
        paint(diamond(x + step / 2, y + step / 2, side), x + step / 2, y + step / 2, i, j);
      }
    }
  }

  function trace(context, lines, share = 1) {
    context.beginPath();
    for (const [from, tip, to] of lines) {
      const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
      if (share >= 1) {
        context.moveTo(...from);
        context.lineTo(...tip);
        context.lineTo(...to);
        continue;
      }
      context.moveTo(...from);
      context.lineTo(...mix(from, tip, share));
      context.moveTo(...to);
      context.lineTo(...mix(to, tip, share));
    }
    context.stroke();
  }
  function fill(context, lines) {
    context.beginPath();
    lines.forEach(([from, tip], index) => {
      if (index === 0) context.moveTo(...from);
      else context.lineTo(...from);
      context.lineTo(...tip);
    });
    context.closePath();
    context.fill();
  }

  const draw = {
    /** The angle changes and a slow light moves over it; the last frame leads to the first. */
    background(context, width, height, time) {
      const turn = 2 * Math.PI * time;
      const angle = ((61 - 9 * Math.cos(turn)) * Math.PI) / 180;
      tiles(width, height, 176, (corners, x, y) => {
        const wave = 0.5 + 0.5 * Math.cos(turn - (x + 0.6 * y) / 420);
        const lines = hankin(corners, angle);
        context.fillStyle = rgba(0.035 + 0.1 * wave * wave);
        fill(context, lines);
        context.strokeStyle = rgba(0.55 + 0.3 * wave);
        context.lineWidth = 1.6;
        trace(context, lines);
      });
    },
    /**
     * One star is drawn from its middle, the lattice grows around it ring by ring, stays, and
     * fades.
     */
    intro(context, width, height, time) {
      const angle = ((72 - 20 * ease((time - 0.05) / 0.7)) * Math.PI) / 180;
      const leaving = 1 - ease((time - 0.86) / 0.13);
      tiles(width, height, 176, (corners, x, y) => {
        const ring = Math.hypot(x - width / 2, y - height / 2) / 176;
        const drawn = ease((time * 4.5 - 0.25 - 0.42 * ring) / 0.9);
        if (drawn <= 0) return;
        const isMiddle = ring < 0.1;
        const fade = leaving * Math.max(0.12, 1 - ring / 5.4);
        const lines = hankin(corners, angle);
        context.fillStyle = rgba((isMiddle ? 0.3 : 0.09) * ease((drawn - 0.6) / 0.4) * fade);
        fill(context, lines);
        context.strokeStyle = rgba((isMiddle ? 1 : 0.75) * fade);
        context.lineWidth = isMiddle ? 3.2 : 1.8;
        trace(context, lines, drawn);
      });
    },
  };

  const canvas = document.querySelector('canvas');
  const context = canvas.getContext('2d');
  window.frame = (name, time) => {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    draw[name](context, canvas.width, canvas.height, time);
    return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
  };
}

/**
 * `loops`: the frame after the last one is the first one. `poster`: the frame that is shown where
 * the video does not play.
 */
const videos = [
  {
    name: 'background',
    width: 1280,
    height: 720,
    rate: 20,
    seconds: 14,
    loops: true,
    poster: 0,
    vp9: 48,
    h264: 33,
  },
  {
    name: 'intro',
    width: 1280,
    height: 720,
    rate: 25,
    seconds: 4.5,
    loops: false,
    vp9: 36,
    h264: 26,
  },
];

/**
 * Written to both encoders at the same time, so that the frames are drawn once. BT.709 is named:
 * otherwise browsers guess, and the background gets another white than the page.
 */
function encoder({ name, rate, vp9, h264 }) {
  const colours = [
    '-vf',
    'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p',
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
  ];
  const ffmpeg = spawn(
    'ffmpeg',
    [
      '-y',
      '-loglevel',
      'error',
      '-f',
      'image2pipe',
      '-framerate',
      String(rate),
      '-c:v',
      'png',
      '-i',
      '-',
      ...colours,
      '-an',
      '-c:v',
      'libvpx-vp9',
      '-b:v',
      '0',
      '-crf',
      String(vp9),
      '-deadline',
      'good',
      '-cpu-used',
      '1',
      '-row-mt',
      '1',
      '-g',
      '400',
      '-auto-alt-ref',
      '1',
      '-lag-in-frames',
      '25',
      join(folder, `${name}.webm`),
      ...colours,
      '-an',
      '-c:v',
      'libx264',
      '-crf',
      String(h264),
      '-preset',
      'veryslow',
      '-profile:v',
      'high',
      '-tune',
      'animation',
      '-g',
      '400',
      '-movflags',
      '+faststart',
      join(folder, `${name}.mp4`),
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  return {
    input: ffmpeg.stdin,
    done: new Promise((resolve, reject) =>
      ffmpeg.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}`)),
      ),
    ),
  };
}

async function writePoster({ name }, image) {
  const ffmpeg = spawn(
    'ffmpeg',
    [
      '-y',
      '-loglevel',
      'error',
      '-f',
      'image2pipe',
      '-c:v',
      'png',
      '-i',
      '-',
      '-vf',
      'scale=960:-1',
      '-quality',
      '50',
      join(folder, `${name}.webp`),
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  ffmpeg.stdin.end(image);
  await new Promise((resolve) => ffmpeg.on('exit', resolve));
}

async function makeVideo(browser, video) {
  const page = await browser.newPage({ viewport: { width: video.width, height: video.height } });
  await page.setContent(`<canvas width="${video.width}" height="${video.height}"></canvas>`);
  await page.evaluate(drawing);
  const frame = async (time) =>
    Buffer.from(
      await page.evaluate(([name, at]) => window.frame(name, at), [video.name, time]),
      'base64',
    );
  const count = Math.round(video.rate * video.seconds);
  const { input, done } = encoder(video);
  for (let index = 0; index < count; index += 1) {
    const image = await frame(index / (video.loops ? count : count - 1));
    if (process.env.FRAMES && index % video.rate === 0)
      writeFileSync(join(process.env.FRAMES, `${video.name}-${index}.png`), image);
    if (!input.write(image)) await new Promise((resolve) => input.once('drain', resolve));
  }
  input.end();
  await done;
  if (video.poster !== undefined) await writePoster(video, await frame(video.poster));
  await page.close();
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: ensureProgram('chromium'),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
await Promise.all(
  videos
    .filter(({ name }) => !process.argv[2] || process.argv[2] === name)
    .map((video) => makeVideo(browser, video)),
);
await browser.close();
