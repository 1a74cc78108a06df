// The count of references is atomic, but taking one more is a load and a store: one of two that are
// taken at the same time gets lost, and the image is deleted while somebody counts on it.
#include <atomic>
#include <thread>

struct Image {
  std::atomic<int> references{1};
  int width = 640;
};

void retain(Image* image) {
#ifdef FIXED
  ++image->references;
#else
  image->references = image->references + 1;
#endif
}

void release(Image* image) {
  if (--image->references == 0) delete image;
}

void show(Image* image) {
  retain(image);
  [[maybe_unused]] volatile int width = image->width;
  release(image);
}

int main() {
  auto* image = new Image;
  std::thread window(show, image);
  show(image);
  window.join();
  release(image);
}
